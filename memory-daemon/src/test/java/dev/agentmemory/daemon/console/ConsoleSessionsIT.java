package dev.agentmemory.daemon.console;

import static dev.agentmemory.daemon.console.PageChecks.call;
import static dev.agentmemory.daemon.console.PageChecks.check;
import static dev.agentmemory.daemon.console.PageChecks.find;
import static dev.agentmemory.daemon.console.PageChecks.findFocus;
import static dev.agentmemory.daemon.console.PageChecks.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.testkit.browser.BrowserTab;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// The list of sessions and a session as a transcript: with the mouse, and by keys alone.
@ExtendWith(SharedConsole.class)
class ConsoleSessionsIT {

  private static final int MOST_NODES = 3000;
  private static final String SHORT_LINK =
      "a.title[href=\"/sessions/" + SessionSample.SHORT + "\"]";
  private static final String TOLD =
      "Retry four times with full jitter, as it was decided for the payments client.";
  private static final String ANSWER_ID = "01KE0000000000000000000001";

  private static ConsoleWorkspace console;

  @BeforeAll
  static void start(OpenedConsole opened, @TempDir Path folder)
      throws IOException, InterruptedException {
    Instant now = Instant.now();
    console =
        opened.workspace("sessions", SessionSample.write(folder.resolve("events.jsonl"), now));
    try (BrowserTab tab = console.open()) {
      tell(tab, "INJECTION_SOURCE_ORIENTATION", TOLD);
      // The answer has the words of what was told before it, but not of what is told after it.
      var _ =
          call(
              tab,
              "memory.MemoryService/IngestEvent",
              """
              {"event": {"eventId": "%s", "sessionId": "%s", "timestampMs": "%d",
               "eventType": "EVENT_TYPE_ASSISTANT_MESSAGE", "role": "EVENT_ROLE_ASSISTANT",
               "agent": "claude-code", "text": "I remember: retry four times with full jitter, as it was decided for the payments client."}}
              """
                  .formatted(ANSWER_ID, SessionSample.SHORT, now.plusSeconds(120).toEpochMilli()));
      tell(tab, "INJECTION_SOURCE_EVIDENCE", "The importer reads one line after the other.");
    }
  }

  private static void tell(BrowserTab tab, String source, String words) {
    var told =
        call(
            tab,
            "memory.RecallService/RecordInjection",
            """
            {"sessionId": "%s", "moment": "INJECTION_MOMENT_PROMPT", "source": "%s", "text": "%s"}
            """
                .formatted(SessionSample.SHORT, source, words));
    assertThat(told.has("injection")).as(told.toString()).isTrue();
  }

  private static BrowserTab open(String address) throws IOException, InterruptedException {
    return console.open(address);
  }

  @Test
  void mouse_leadsFromTheListToWhatMemoryTold() throws Exception {
    try (BrowserTab tab = console.open()) {
      tab.click("nav a[href=\"/sessions\"]");
      find(tab, SHORT_LINK);
      tab.until("document.querySelector('am-session-list').innerText.includes('2,000 turns')");
      assertThat(text(tab, "am-session-list")).contains("claude-code", "sessions");
      tab.click(SHORT_LINK);
      find(tab, ".said.person");
      assertThat(text(tab, ".said.person")).contains("you", "which store do we take?");
      assertThat(text(tab, ".said.agent")).contains("claude-code", "take RocksDB");
      tab.until("document.querySelectorAll('am-session .segment').length >= 2");
      assertThat(text(tab, "am-session")).contains("after a pause", "ls storage");
      assertThat(text(tab, "am-session")).doesNotContain("first line of the listing");
      tab.click(".said.tool .fold");
      find(tab, ".said.tool .folded");
      assertThat(text(tab, ".said.tool .folded")).contains("first line of the listing");
      tab.click("am-subagent .fold");
      tab.until("document.querySelector('am-subagent').innerText.includes('twelve files')");
      tab.click(".summary .fold");
      find(tab, ".summary .badge.good");
      tab.click(".summary am-list button");
      find(tab, ".told .folded");
      assertThat(text(tab, ".told:has(.folded)")).contains(TOLD, "used", "has the words");
    }
  }

  @Test
  void keysAlone_openASessionAndStepThroughWhatMemoryTold() throws Exception {
    try (BrowserTab tab = console.open()) {
      tab.press("g", "e");
      find(tab, SHORT_LINK);
      tab.press("j");
      findFocus(tab, "[data-index=\"0\"]");
      PageChecks.pressUntil(tab, "j", ":has(" + SHORT_LINK + ")[data-index]");
      tab.press("Enter");
      find(tab, ".said.person");
      tab.press("j");
      findFocus(tab, "am-session [data-index=\"0\"]");
      PageChecks.pressUntil(tab, "j", "[data-index]:has(.said.tool)");
      tab.press("l");
      find(tab, ".said.tool .folded");
      tab.press("h");
      tab.until("!document.querySelector('.said.tool .folded')");
      find(tab, ".summary");
      tab.press("n");
      find(tab, ".told .folded");
      findFocus(tab, "[data-index]:has(.told .folded)");
      tab.until("location.search.startsWith('?event=')");
      tab.press("o");
      tab.until("!document.querySelector('.told .folded')");
      tab.press("u");
      find(tab, SHORT_LINK);
    }
  }

  @Test
  void whatMemoryTold_isUsedOrUnknown() throws Exception {
    try (BrowserTab tab = open("/sessions/" + SessionSample.SHORT)) {
      assertThat(text(tab, ".summary")).contains("2 times", "used: 1", "unknown: 1");
      assertThat(tab.text()).doesNotContain("not used");
    }
  }

  @Test
  void addressOfATurn_opensThere_withFewNodes() throws Exception {
    try (BrowserTab tab = open("/sessions/" + SessionSample.LONG)) {
      find(tab, ".said.person");
      tab.press("j", "End");
      String last = "[data-index=\"" + (SessionSample.LONG_TURNS - 1) + "\"] .said";
      find(tab, last);
      tab.until("location.search.startsWith('?event=')");
      assertThat(nodes(tab)).isLessThanOrEqualTo(MOST_NODES);
      String address = tab.address();

      tab.go(address);
      find(tab, last);
      findFocus(tab, "[data-index=\"" + (SessionSample.LONG_TURNS - 1) + "\"]");
      assertThat(nodes(tab)).isLessThanOrEqualTo(MOST_NODES);
      tab.go(console.base() + "/sessions" + address.replaceFirst(".*\\?", "?"));
      tab.until("location.href === " + BrowserTab.quoted(address));
      find(tab, last);
    }
  }

  private static int nodes(BrowserTab tab) {
    return tab.evaluate("document.querySelectorAll('*').length").asInt();
  }

  @Test
  void hostileText_isShownAsText() throws Exception {
    try (BrowserTab tab = open("/sessions/" + SessionSample.SHORT)) {
      tab.until("document.querySelector('.said.person')?.innerText.includes('<script>')");
      assertThat(text(tab, ".said.person")).contains("<img src=x", "\u27e6U+202E\u27e7");
      assertThat(tab.evaluate("document.querySelectorAll('main img').length").asInt()).isZero();
      assertThat(tab.evaluate("document.title").asText()).isNotEqualTo("run");
    }
  }

  @Test
  void unknownSession_isSaid() throws Exception {
    try (BrowserTab tab = open("/sessions/nobody")) {
      find(tab, "am-sessions .error");
      assertThat(tab.text()).contains("nobody");
    }
  }

  /// The sentence of the daemon quotes the id.
  @Test
  void unknownSessionWithAHiddenCharacter_isSaidWithTheCharacterMadeVisible() throws Exception {
    try (BrowserTab tab = open("/sessions/nobody%E2%80%AE")) {
      assertThat(text(tab, "am-sessions .error")).contains("nobody").doesNotContain("\u202e");
    }
  }

  @Test
  void pages_haveNoViolation() throws Exception {
    try (BrowserTab tab = open("/sessions")) {
      find(tab, SHORT_LINK);
      check(tab, "list");
      tab.go(console.base() + "/sessions/" + SessionSample.SHORT + "?event=" + ANSWER_ID);
      find(tab, ".told .fold");
      tab.click(".told .fold");
      find(tab, ".told .folded");
      check(tab, "transcript");
    }
  }
}
