package dev.agentmemory.daemon.console;

import static dev.agentmemory.daemon.console.PageChecks.call;
import static dev.agentmemory.daemon.console.PageChecks.check;
import static dev.agentmemory.daemon.console.PageChecks.find;
import static dev.agentmemory.daemon.console.PageChecks.findFocus;
import static dev.agentmemory.daemon.console.PageChecks.pressUntil;
import static dev.agentmemory.daemon.console.PageChecks.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.testkit.browser.BrowserTab;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// Forgetting in four steps: with the mouse, and by keys alone. Each test has a workspace of its
/// own.
@ExtendWith(SharedConsole.class)
class ConsoleForgetIT {

  private static final String EVENTS = "8";
  private static final String ERASE = "button.bad[type=submit]";
  private static final String GO_ON = "am-forget > .buttons button.main";
  private static final String WHOLE = "{\"sessionId\": \"" + SessionSample.SHORT + "\"}";

  private static int workspaces;

  private ConsoleWorkspace console;

  @BeforeEach
  void start(OpenedConsole opened, @TempDir Path folder) throws IOException, InterruptedException {
    Path events = SessionSample.writeShort(folder.resolve("events.jsonl"), Instant.now());
    console = opened.workspace("forget-" + ++workspaces, events);
  }

  private static boolean isStored(BrowserTab tab) {
    return call(tab, "memory.SessionService/GetSession", WHOLE).has("session");
  }

  @Test
  void mouse_forgetsASession_afterItWasSeenAndItsCountTyped() throws Exception {
    try (BrowserTab tab = console.open("/sessions/" + SessionSample.SHORT)) {
      tab.click("am-session a[href^=\"/forget\"]");
      find(tab, "am-forget-choose [name=session]");
      tab.click("am-forget-choose button[type=submit]");
      find(tab, "am-forget-reach .samples.event li");
      String reach = text(tab, "am-forget-reach");
      assertThat(reach).contains(EVENTS + " events", "<img src=x", "search index");
      // A mistake costs nothing.
      tab.click("am-forget > .buttons button:not(.main)");
      find(tab, "am-forget-choose");
      assertThat(isStored(tab)).isTrue();
      tab.click("am-forget-choose button[type=submit]");
      tab.click(GO_ON);
      tab.click("[name=count]");
      tab.type("7");
      assertThat(disabled(tab)).isTrue();
      tab.click(ERASE);
      assertThat(isStored(tab)).isTrue();
      tab.click("[name=count]");
      tab.press("End", "Backspace");
      tab.type(EVENTS);
      tab.until("!document.querySelector('" + ERASE + "').disabled");
      tab.click(ERASE);
      find(tab, ".receipt");
      assertThat(isStored(tab)).isFalse();
      assertThat(text(tab, ".receipt")).contains(EVENTS);
      // The receipt has an address, and "back" does not lead to what is gone.
      String address = tab.address();
      assertThat(address).contains("/forget?receipt=");
      tab.go(address);
      find(tab, ".receipt");
      assertThat(text(tab, ".receipt")).contains(EVENTS);
      assertThat(tab.evaluate("document.title").asText()).isNotEqualTo("run");
    }
  }

  private static boolean disabled(BrowserTab tab) {
    return tab.evaluate("document.querySelector('" + ERASE + "').disabled").asBoolean();
  }

  @Test
  void keysAlone_forgetAnItem() throws Exception {
    try (BrowserTab tab = console.open()) {
      tab.press("g", "f");
      find(tab, "am-forget-choose");
      tab.press("/");
      tab.type("RocksDB Falcon");
      find(tab, "am-forget-choose .results li");
      tab.press("Escape", "j");
      pressUntil(tab, "j", "li:has(.badge):not(.chosen li)");
      tab.press("Enter");
      find(tab, ".chosen li");
      pressUntil(tab, "Tab", "am-forget-choose button[type=submit]");
      tab.press("Enter");
      find(tab, "am-forget-reach");
      pressUntil(tab, "Tab", GO_ON);
      tab.press("Enter");
      find(tab, "[name=count]");
      pressUntil(tab, "Tab", "[name=count]");
      tab.type("1");
      tab.until("!document.querySelector('" + ERASE + "').disabled");
      tab.press("Enter");
      find(tab, ".receipt");
      findFocus(tab, "h2.step");
      assertThat(isStored(tab)).isTrue();
    }
  }

  @Test
  void addressOfTheConfirmation_showsWhatGoesFirst() throws Exception {
    try (BrowserTab tab =
        console.open("/forget?session=" + SessionSample.SHORT + "&step=confirm")) {
      find(tab, "am-forget-reach .samples.event li");
      assertThat(tab.address()).contains("step=see");
      assertThat(isStored(tab)).isTrue();
    }
  }

  @Test
  void whatHasComeSince_isShownAgain_andNothingIsErased() throws Exception {
    try (BrowserTab tab = console.open("/forget?session=" + SessionSample.SHORT + "&step=see")) {
      tab.click(GO_ON);
      find(tab, "[name=count]");
      var _ =
          call(
              tab,
              "memory.MemoryService/IngestEvent",
              """
              {"event": {"eventId": "01KE0000000000000000000009", "sessionId": "%s", "timestampMs": "%d", "text": "one more"}}
              """
                  .formatted(SessionSample.SHORT, Instant.now().toEpochMilli()));
      tab.click("[name=count]");
      tab.type(EVENTS);
      tab.click(ERASE);
      find(tab, "am-forget .error");
      assertThat(text(tab, "am-forget .error")).contains("Nothing was erased");
      assertThat(isStored(tab)).isTrue();
      assertThat(text(tab, "am-forget form")).contains("Type 9 to confirm");
    }
  }

  @Test
  void steps_haveNoViolation() throws Exception {
    try (BrowserTab tab = console.open("/forget")) {
      find(tab, "am-forget-choose");
      check(tab, "choose");
      tab.go(console.base() + "/forget?session=" + SessionSample.SHORT + "&step=see");
      find(tab, "am-forget-reach .samples.event li");
      check(tab, "see");
      tab.click(GO_ON);
      find(tab, "[name=count]");
      check(tab, "confirm");
    }
  }
}
