package dev.agentmemory.daemon.console;

import static dev.agentmemory.daemon.console.PageChecks.call;
import static dev.agentmemory.daemon.console.PageChecks.check;
import static dev.agentmemory.daemon.console.PageChecks.find;
import static dev.agentmemory.daemon.console.PageChecks.findFocus;
import static dev.agentmemory.daemon.console.PageChecks.pressUntil;
import static dev.agentmemory.daemon.console.PageChecks.text;
import static dev.agentmemory.testkit.browser.BrowserTab.quoted;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentmemory.testkit.browser.BrowserTab;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// The status page: with the mouse, and by keys alone.
@ExtendWith(SharedConsole.class)
class ConsoleStatusIT {

  private static final String JOB = "toc_rollup_week";
  private static final String ITEM = "am-jobs [data-job=\"" + JOB + "\"]";
  private static final String PAUSE = ITEM + " button[data-wish=pause]";
  private static final String PAUSED = ITEM + " .badge.warn";

  private static ConsoleWorkspace console;

  @BeforeAll
  static void start(OpenedConsole opened, @TempDir Path folder)
      throws IOException, InterruptedException {
    Path events = SessionSample.write(folder.resolve("events.jsonl"), Instant.now());
    console = opened.workspace("status", events);
  }

  private static boolean isPaused(BrowserTab tab) {
    for (JsonNode job : call(tab, "memory.MemoryService/GetSchedulerStatus", "{}").path("jobs")) {
      if (job.path("jobName").asText().equals(JOB)) {
        return job.path("isPaused").asBoolean();
      }
    }
    throw new AssertionError("there is no job " + JOB);
  }

  @Test
  void page_showsCapturePipelineSizesAndCost() throws Exception {
    try (BrowserTab tab = console.open()) {
      tab.click("nav a[href=\"/status\"]");
      find(tab, "am-capture li");
      assertThat(text(tab, "section.capture")).contains("claude-code", "Spool", "empty");
      tab.until("document.querySelector('section.stats')?.innerText.includes('Dead letters')");
      assertThat(text(tab, "section.stats")).contains("none");
      tab.until("document.querySelector('section.usage')?.innerText.includes('Grips')");
      assertThat(text(tab, "section.usage")).contains("Search index", "2,0");
      assertThat(text(tab, "section.model")).contains("extractive");
    }
  }

  @Test
  void mouse_pausesResumesAndRunsAJob_andVerifies() throws Exception {
    try (BrowserTab tab = console.open("/status")) {
      tab.click(PAUSE);
      find(tab, PAUSED);
      assertThat(isPaused(tab)).isTrue();
      tab.click(PAUSE);
      tab.until("!document.querySelector(" + quoted(PAUSED) + ")");
      assertThat(isPaused(tab)).isFalse();
      tab.click(ITEM + " button[data-wish=run]");
      find(tab, ITEM + " .badge.good");
      tab.click("[data-verify]");
      tab.until("document.querySelector('section.verify').innerText.includes('0 findings')");
    }
  }

  @Test
  void keysAlone_pauseResumeAndRunAJob_andVerify() throws Exception {
    try (BrowserTab tab = console.open()) {
      tab.press("g", "j");
      find(tab, ITEM);
      find(tab, "am-capture li");
      tab.press("j");
      findFocus(tab, "am-capture li");
      pressUntil(tab, "Tab", "am-jobs");
      pressUntil(tab, "j", ITEM);
      tab.press("x");
      find(tab, PAUSED);
      tab.press("x");
      tab.until("!document.querySelector(" + quoted(PAUSED) + ")");
      tab.press("r");
      find(tab, ITEM + " .badge.good");
      tab.press("v");
      tab.until("document.querySelector('section.verify').innerText.includes('0 findings')");
    }
  }

  @Test
  void sentenceWithACommand_hasAButtonThatCopiesIt() throws Exception {
    try (BrowserTab tab = console.open("/status")) {
      String button = "am-capture li [aria-label=\"Copy memory install gemini\"]";
      find(tab, button);
      assertThat(text(tab, "am-capture li:has([data-copy])"))
          .contains("not connected; memory install gemini connects it");
      tab.click(button);
      tab.until("document.getElementById('announcements').textContent === 'Copied.'");
    }
  }

  @Test
  void change_isShown_withoutAskingAgainAndAgain() throws Exception {
    try (BrowserTab tab = console.tab()) {
      // The page asks only when it is told of a change.
      var _ =
          tab.call(
              "Page.addScriptToEvaluateOnNewDocument",
              Map.of("source", "window.setInterval = () => 0"));
      tab.go(console.base() + "/status");
      find(tab, ".live.is-live");
      tab.until("document.querySelector('section.usage')?.innerText.includes('Grips')");
      String before = text(tab, "section.usage");
      var _ =
          call(
              tab,
              "memory.MemoryService/IngestEvent",
              """
              {"event": {"eventId": "01KE0000000000000000000007", "sessionId": "live", "timestampMs": "%d", "text": "one more"}}
              """
                  .formatted(Instant.now().toEpochMilli()));
      tab.until("document.querySelector('section.usage').innerText !== " + quoted(before));
    }
  }

  @Test
  void page_hasNoViolation() throws Exception {
    try (BrowserTab tab = console.open("/status")) {
      find(tab, ITEM);
      find(tab, "am-capture li");
      tab.until("document.querySelector('section.usage')?.innerText.includes('Grips')");
      check(tab, "status");
    }
  }
}
