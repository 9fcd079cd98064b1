package dev.agentmemory.daemon.console;

import static dev.agentmemory.daemon.console.PageChecks.call;
import static dev.agentmemory.daemon.console.PageChecks.check;
import static dev.agentmemory.daemon.console.PageChecks.find;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.testkit.browser.AccessibilityCheck;
import dev.agentmemory.testkit.browser.BrowserTab;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// The start page with the sample of the demo: with the mouse, and by keys alone.
@ExtendWith(SharedConsole.class)
class TimelineIT {

  private static final Path SAMPLE = Path.of("../memory-cli/src/main/resources/demo/events.jsonl");

  /// Where the sentence is whose evidence is shown.
  private static final String CITED =
      "document.querySelector('.ref[aria-current=true]').closest('[data-item]')"
          + ".getBoundingClientRect()";

  private static final String DAY = "toc:day:2026-01-12";
  private static final String LAST_DAY = "toc:day:2026-02-01";
  private static final String OPEN_DAY = "[data-node=\"" + DAY + "\"][aria-expanded=true]";

  private static final double MOST_SHIFT = 0.02;
  private static final int MOST_REQUESTS = 8;

  private static final String OTHER = "timeline-other";

  private static ConsoleWorkspace console;

  @BeforeAll
  static void start(OpenedConsole opened, @TempDir Path folder)
      throws IOException, InterruptedException {
    console = opened.workspace("timeline", SAMPLE);
    Path events = SessionSample.writeShort(folder.resolve("events.jsonl"), Instant.now());
    var _ = opened.workspace(OTHER, events);
  }

  @Test
  void startPage_opensTheLastDay() throws Exception {
    try (BrowserTab tab = console.open()) {
      find(tab, "[data-node^=\"toc:day:\"][aria-expanded=true]");
      assertThat(tab.text()).contains("Times are in the zone");
    }
  }

  @Test
  void address_opensAtTheSamePlace_andTheEvidenceIsMarked() throws Exception {
    try (BrowserTab tab = console.open("/toc/" + DAY)) {
      find(tab, OPEN_DAY + " .ref");
      tab.click(OPEN_DAY + " .ref");
      find(tab, "am-evidence mark");
      String address = tab.address();
      assertThat(address).contains("/toc/" + DAY + "?grip=grip:");
      String marked = tab.evaluate("document.querySelector('am-evidence mark').innerText").asText();
      assertThat(marked).isNotBlank();

      tab.go(address);
      find(tab, "am-evidence mark");
      assertThat(tab.evaluate("document.querySelector('am-evidence mark').innerText").asText())
          .isEqualTo(marked);
      find(tab, OPEN_DAY);
      // Of the grip alone, the address finds the segment that it was made for.
      tab.go(console.base() + "/toc/grip?grip=" + address.replaceFirst(".*grip=", ""));
      tab.until("location.pathname.startsWith('/toc/toc:segment:2026-01-12:')");
    }
  }

  @Test
  void keysAlone_leadFromTheYearToTheWords_andBack() throws Exception {
    try (BrowserTab tab = console.open("/toc/toc:year:2026")) {
      tab.until("document.activeElement.dataset.node === 'toc:year:2026'");
      // Down to the first bullet of the year.
      tab.press("j");
      tab.until("document.activeElement.dataset.bullet === '0'");
      tab.press("o");
      find(tab, "am-evidence mark");
      String first = tab.address();
      tab.press("n");
      tab.until("location.href !== " + BrowserTab.quoted(first));
      tab.press("p");
      tab.until("location.href === " + BrowserTab.quoted(first));
      tab.press("Escape");
      tab.until("!document.querySelector('am-evidence')");
      tab.until("document.activeElement.dataset.bullet !== undefined");
      tab.press("Home");
      tab.until("document.activeElement.dataset.node === 'toc:year:2026'");
      tab.press("h");
      find(tab, "[data-node=\"toc:year:2026\"][aria-expanded=false]");
      tab.press("l");
      find(tab, "[data-node=\"toc:year:2026\"][aria-expanded=true]");
    }
  }

  @Test
  void sentenceWhoseEvidenceIsShown_isNotUnderIt_onANarrowWindow() throws Exception {
    try (BrowserTab tab = console.open("/toc/" + DAY)) {
      tab.size(400, 800);
      find(tab, OPEN_DAY + " .ref");
      tab.press("j", "o");
      for (int sentence = 0; sentence < 3; sentence++) {
        find(tab, "am-evidence mark");
        tab.until(
            CITED + ".bottom <= document.querySelector('.aside').getBoundingClientRect().top");
        tab.press("n");
      }
    }
  }

  @Test
  void back_closesTheEvidence_forwardOpensIt() throws Exception {
    try (BrowserTab tab = console.open("/toc/" + DAY)) {
      tab.click(OPEN_DAY + " .ref");
      find(tab, "am-evidence mark");
      var _ = tab.evaluate("history.back(); true");
      tab.until("!document.querySelector('am-evidence')");
      find(tab, OPEN_DAY);
      var _ = tab.evaluate("history.forward(); true");
      find(tab, "am-evidence mark");
    }
  }

  @Test
  void workspaceOfTheAddress_isShown_andKeptByTheLinks() throws Exception {
    try (BrowserTab tab = console.open("/?workspace=" + OTHER)) {
      find(tab, "[data-node^=\"toc:day:\"][aria-expanded=true] .ref");
      find(tab, ".live.is-live");
      assertThat(PageChecks.text(tab, ".top .workspace")).isEqualTo(OTHER);
      tab.click("[data-node^=\"toc:day:\"][aria-expanded=true] .ref");
      find(tab, "am-evidence mark");
      assertThat(PageChecks.text(tab, "am-evidence mark")).contains("RocksDB for Falcon");
      assertThat(
              tab.evaluate(
                  "[...document.querySelectorAll('main a')].filter(link =>"
                      + " !link.search.includes('workspace=timeline-other')).length"))
          .hasToString("0");
      tab.click("am-evidence .tools a");
      find(tab, "am-session .said.person");
      assertThat(tab.address()).contains("workspace=" + OTHER);
      // Without it, the address is one of the workspace of the tab.
      tab.go(console.base() + "/?workspace=" + OTHER);
      find(tab, "[data-node^=\"toc:day:\"][aria-expanded=true]");
      tab.click(".top .brand");
      tab.until("document.querySelector('.top .workspace').innerText === 'timeline'");
      find(tab, "[data-node=\"" + LAST_DAY + "\"][aria-expanded=true]");
      assertThat(tab.problems()).isEmpty();
    }
  }

  @Test
  void startPage_doesNotShift_whileItIsLoaded() throws Exception {
    try (BrowserTab tab = console.open()) {
      tab.size(1280, 900);
      var _ =
          tab.call(
              "Page.addScriptToEvaluateOnNewDocument",
              Map.of(
                  "source",
                  "window.shift = 0; new PerformanceObserver(list => list.getEntries().forEach("
                      + "e => { if (!e.hadRecentInput) window.shift += e.value; }))"
                      + ".observe({type: 'layout-shift', buffered: true})"));
      tab.go(console.base() + "/");
      find(tab, "[data-node^=\"toc:day:\"][aria-expanded=true] [data-bullet]");
      assertThat(tab.evaluate("window.shift").asDouble()).isLessThanOrEqualTo(MOST_SHIFT);
    }
  }

  @Test
  void startPage_needsFewRequests() throws Exception {
    try (BrowserTab tab = console.open()) {
      tab.forget();
      tab.go(console.base() + "/");
      find(tab, "[data-node^=\"toc:day:\"][aria-expanded=true] [data-bullet]");
      tab.until("document.querySelector('am-heat').activity");
      assertThat(tab.requests()).hasSizeLessThanOrEqualTo(MOST_REQUESTS);
    }
  }

  @Test
  void newTurns_appearInTheOpenDay(OpenedConsole opened) throws Exception {
    try (BrowserTab tab = opened.workspace("timeline-live", SAMPLE).open("/toc/" + DAY)) {
      find(tab, OPEN_DAY + " .ref");
      find(tab, ".live.is-live");
      String segments =
          "document.querySelectorAll('[data-node^=\"toc:segment:2026-01-12:\"][aria-level]').length";
      int before = tab.evaluate(segments).asInt();
      var _ =
          call(
              tab,
              "memory.MemoryService/IngestEvent",
              """
              {"event": {"eventId": "01KE0000000000000000000005", "sessionId": "a-later-session", "timestampMs": "%d", "text": "One more question."}}
              """
                  .formatted(Instant.parse("2026-01-12T22:00:00Z").toEpochMilli()));
      tab.until(segments + " > " + before);
      assertThat(tab.problems()).isEmpty();
    }
  }

  @Test
  void palette_goesToAPastedAddress() throws Exception {
    try (BrowserTab tab = console.open()) {
      tab.press("Ctrl+k");
      find(tab, "dialog[open] input");
      tab.type("memory://toc/" + DAY);
      tab.until("document.querySelectorAll('dialog[open] [role=option]').length === 1");
      tab.press("Enter");
      find(tab, OPEN_DAY);
      assertThat(tab.address()).endsWith("/toc/" + DAY);
    }
  }

  /// The answer names workspaces only where it is about several.
  @Test
  void coloursOfWorkspaces_nameTheOneThatIsShown() throws Exception {
    try (BrowserTab tab = console.open()) {
      find(tab, "am-heat .heat-4");
      var _ = tab.evaluate("document.querySelector('am-heat select').focus(); true");
      tab.press("ArrowDown", "ArrowDown");
      tab.until("document.querySelector('am-heat .legend')?.innerText.trim() === 'timeline'");
    }
  }

  @Test
  void keys_areListed() throws Exception {
    try (BrowserTab tab = console.open()) {
      tab.press("?");
      find(tab, "dialog[open] table.keys");
      assertThat(tab.text()).contains("Evidence of the current item", "Go to Timeline");
      assertThat(AccessibilityCheck.violations(tab)).isEmpty();
      tab.press("Escape");
      tab.until("!document.querySelector('dialog')");
    }
  }

  @Test
  void pages_haveNoViolation_lightAndDark_narrowAndWide() throws Exception {
    try (BrowserTab tab = console.open("/toc/" + DAY)) {
      find(tab, OPEN_DAY + " .ref");
      check(tab, "contents");
      tab.click(OPEN_DAY + " .ref");
      find(tab, "am-evidence mark");
      check(tab, "evidence");
      tab.go(console.base() + "/toc/" + DAY + "?versions=1");
      find(tab, "am-versions [role=option]");
      check(tab, "versions");
    }
  }
}
