package dev.agentmemory.daemon.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.testkit.browser.AccessibilityCheck;
import dev.agentmemory.testkit.browser.BrowserTab;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The start page with the sample of the demo: with the mouse, and by keys alone.
@Tag("long")
class TimelineIT {

  private static final Path SAMPLE = Path.of("../memory-cli/src/main/resources/demo/events.jsonl");
  private static final String DAY = "toc:day:2026-01-12";
  private static final String OPEN_DAY = "[data-node=\"" + DAY + "\"][aria-expanded=true]";

  private static final double MOST_SHIFT = 0.02;

  private static OpenedConsole console;

  @BeforeAll
  static void start(@TempDir Path folder) throws IOException, InterruptedException {
    console = OpenedConsole.start(folder, SAMPLE);
  }

  @AfterAll
  static void stop() {
    if (console != null) {
      console.close();
    }
  }

  private static void find(BrowserTab tab, String selector) {
    tab.until("document.querySelector(" + BrowserTab.quoted(selector) + ")");
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
    try (BrowserTab tab = console.open()) {
      tab.go(console.base() + "/toc/" + DAY);
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
    try (BrowserTab tab = console.open()) {
      tab.go(console.base() + "/toc/toc:year:2026");
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
  void back_closesTheEvidence_forwardOpensIt() throws Exception {
    try (BrowserTab tab = console.open()) {
      tab.go(console.base() + "/toc/" + DAY);
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
      tab.until("document.querySelector('am-heat .legend')?.innerText.trim() === 'default'");
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
    try (BrowserTab tab = console.open()) {
      for (int width : new int[] {320, 1280}) {
        for (boolean dark : new boolean[] {false, true}) {
          tab.size(width, 800);
          tab.dark(dark);
          tab.go(console.base() + "/toc/" + DAY);
          find(tab, OPEN_DAY + " .ref");
          check(tab, width + " " + dark);
          tab.click(OPEN_DAY + " .ref");
          find(tab, "am-evidence mark");
          check(tab, "evidence " + width + " " + dark);
          tab.go(console.base() + "/toc/" + DAY + "?versions=1");
          find(tab, "am-versions [role=option]");
          check(tab, "versions " + width + " " + dark);
        }
      }
    }
  }

  private static void check(BrowserTab tab, String what) {
    assertThat(AccessibilityCheck.violations(tab)).as(what).isEmpty();
    assertThat(tab.evaluate("document.documentElement.scrollWidth <= innerWidth").asBoolean())
        .as("no scrolling sideways: " + what)
        .isTrue();
  }
}
