package dev.agentmemory.daemon.console;

import static dev.agentmemory.daemon.console.PageChecks.check;
import static dev.agentmemory.daemon.console.PageChecks.find;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.agentmemory.testkit.browser.BrowserTab;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// The search page with the sample of the demo: with the mouse, and by keys alone.
@ExtendWith(SharedConsole.class)
class ConsoleSearchIT {

  private static final Path SAMPLE = Path.of("../memory-cli/src/main/resources/demo/events.jsonl");
  private static final String HOSTILE =
      "zanzibar <img src=x onerror=\"window.hacked=1\"><script>window.hacked=2</script>"
          + " \u202egnirts\u202c [link](javascript:window.hacked=3)";
  private static final String ITEM = "am-search-hits [data-item]";
  private static final String FOCUSED = "document.activeElement.matches('" + ITEM + "')";

  private static ConsoleWorkspace console;

  @BeforeAll
  static void start(OpenedConsole opened, @TempDir Path folder)
      throws IOException, InterruptedException {
    Path events = folder.resolve("events.jsonl");
    String hostile =
        new JsonMapper()
            .writeValueAsString(
                Map.of(
                    "session_id",
                    "<b>hostile</b>",
                    "timestamp",
                    "2026-01-12T07:00:00Z",
                    "event_type",
                    "user_message",
                    "role",
                    "user",
                    "agent",
                    "<i>agent</i>",
                    "text",
                    HOSTILE));
    Files.writeString(events, Files.readString(SAMPLE).strip() + '\n' + hostile + '\n');
    console = opened.workspace("search", events);
  }

  private static void gone(BrowserTab tab, String selector) {
    tab.until("!document.querySelector(" + BrowserTab.quoted(selector) + ")");
  }

  private static void go(BrowserTab tab, String address) throws IOException {
    tab.go(console.base() + address);
    find(tab, "am-search");
  }

  private static String text(BrowserTab tab, String selector) {
    return tab.evaluate("document.querySelector(" + BrowserTab.quoted(selector) + ").textContent")
        .asText();
  }

  @Test
  void keysAlone_findAsTheyAreTyped_showWhy_evidence_andTheContext() throws Exception {
    try (BrowserTab tab = console.open()) {
      tab.press("g", "s");
      tab.until("document.activeElement.matches('am-search input[type=search]')");
      tab.press("f", "u", "l", "l", " ", "j", "i", "t", "t", "e", "r");
      tab.until("location.search === '?q=full+jitter'");
      find(tab, ITEM + " mark");
      assertThat(tab.evaluate("document.activeElement.value").asText()).isEqualTo("full jitter");

      tab.press("ArrowDown");
      tab.until(FOCUSED);
      tab.press("l");
      find(tab, ITEM + " .why meter");
      assertThat(text(tab, ITEM + " .why .lists")).contains("words #");
      assertThat(tab.evaluate("document.querySelector('.why meter').value > 0").asBoolean())
          .isTrue();
      assertThat(tab.address()).contains("why=");
      tab.press("h");
      gone(tab, ".why");

      String result = tab.evaluate("document.activeElement.dataset.id").asText();
      tab.press("o");
      find(tab, "am-evidence .said");
      tab.until("document.activeElement.id === 'evidence-title'");
      tab.press("Escape");
      gone(tab, "am-evidence");
      tab.until("document.activeElement.dataset.id === " + BrowserTab.quoted(result));
      tab.press("j");
      tab.until(FOCUSED + " && document.activeElement.dataset.id !== '" + result + "'");
      tab.press("k");
      tab.until("document.activeElement.dataset.id === " + BrowserTab.quoted(result));

      tab.press("a");
      find(tab, "am-search-context .context");
      assertThat(tab.address()).contains("context=1");
      tab.press("a");
      gone(tab, "am-search-context");
      tab.press("Enter");
      tab.until("location.pathname.startsWith('/sessions/')");
      assertThat(tab.problems()).isEmpty();
    }
  }

  @Test
  void mouse_showsWhy_evidence_context_andNarrowsToASession() throws Exception {
    try (BrowserTab tab = console.open()) {
      tab.click(".top nav a[href='/search']");
      tab.click("am-search input[type=search]");
      tab.type("full jitter");
      find(tab, ITEM);
      tab.click(ITEM + " .acts [aria-expanded=false]");
      find(tab, ITEM + " .why meter");
      tab.click(ITEM + " .acts [aria-expanded=true]");
      gone(tab, ".why");
      tab.click(ITEM + " .acts [aria-label^=Evidence]");
      find(tab, "am-evidence .said");
      tab.click("am-evidence .close");
      gone(tab, "am-evidence");

      tab.click(".tell");
      find(tab, "am-search-context .context a");
      tab.click(".tell");
      gone(tab, "am-search-context");
      tab.click(ITEM + " .acts .link");
      tab.until("new URLSearchParams(location.search).has('session')");
      tab.until("document.querySelector('am-search .session').value !== ''");
      tab.until("document.querySelector('.answer[aria-busy=false]')");
      find(tab, ITEM);
      tab.click(ITEM + " .path a:last-child");
      tab.until("location.pathname.startsWith('/toc/')");
      var _ = tab.evaluate("history.back(); true");
      find(tab, ITEM);
      assertThat(tab.address()).contains("/search?", "q=full+jitter");
    }
  }

  /// Of the results, the first is shown with its reasons, its evidence and the context.
  @Test
  void address_opensTheSameAgain() throws Exception {
    try (BrowserTab tab = console.tab()) {
      go(tab, "/search?q=full+jitter&after=2026-01-01&mode=words&context=1&budget=200");
      find(tab, "am-search-context .context");
      tab.click(ITEM + " .acts [aria-expanded=false]");
      find(tab, ".why");
      tab.click(ITEM + " .acts [aria-label^=Evidence]");
      find(tab, "am-evidence .said");
      String address = tab.address();
      String evidence = text(tab, "am-evidence .said");

      tab.go(address);
      find(tab, ".why");
      find(tab, "am-evidence .said");
      find(tab, "am-search-context .context");
      assertThat(text(tab, "am-evidence .said")).isEqualTo(evidence);
      assertThat(tab.evaluate("document.querySelector('am-search .after').value").asText())
          .isEqualTo("2026-01-01");
      assertThat(tab.evaluate("document.querySelector('am-search .mode').value").asText())
          .isEqualTo("words");
    }
  }

  @Test
  void context_isWhatTheDaemonGivesAnAgent_withinTheBudget() throws Exception {
    try (BrowserTab tab = console.tab()) {
      go(tab, "/search?q=full+jitter&context=1&budget=200");
      find(tab, "am-search-context .context");
      String given =
          tab.evaluate(
                  "fetch('/api/v1/context', {method: 'POST', headers: {authorization: 'Bearer ' +"
                      + " sessionStorage.getItem('memory.key'), 'memory-workspace': 'search',"
                      + " 'content-type': 'application/json'}, body: JSON.stringify({query: 'full jitter',"
                      + " tokenBudget: 200, minRelevance: 0.05, minBestRelevance: 0.27,"
                      + " calibrated: true})}).then(r => r.json()).then(r => r.markdown)")
              .asText();
      assertThat(text(tab, "am-search-context .context")).isEqualTo(given).contains("recalled|");
      assertThat(text(tab, "am-search-context")).contains("of 200 tokens");

      // The budget by keys: a step up is 50.
      var _ = tab.evaluate("document.querySelector('am-search-context input').focus(); true");
      tab.press("ArrowUp", "Enter");
      tab.until("location.search.includes('budget=250')");
      tab.until("document.querySelector('am-search-context').innerText.includes('of 250 tokens')");
    }
  }

  @Test
  void nothingFound_saysWhatWasLookedThrough_andDropsAFilter() throws Exception {
    try (BrowserTab tab = console.tab()) {
      go(tab, "/search?q=jitter&after=2030-01-01");
      find(tab, ".nothing");
      tab.until("document.querySelector('.nothing').innerText.includes('Looked through 4')");
      assertThat(text(tab, ".nothing li"))
          .contains("a word of the question", "left out by the time");
      tab.click(".nothing a[href*='q=jitter']:not([href*='after'])");
      find(tab, ITEM);
      assertThat(tab.address()).endsWith("/search?q=jitter");

      var _ = tab.evaluate("history.back(); true");
      find(tab, ".nothing a");
      tab.press("/");
      tab.until("document.activeElement.type === 'search'");
      for (int i = 0; i < 60 && !at(tab, ".nothing a"); i++) {
        tab.press("Tab");
      }
      tab.press("Enter");
      find(tab, ITEM);
    }
  }

  private static boolean at(BrowserTab tab, String selector) {
    return tab.evaluate("document.activeElement.matches(" + BrowserTab.quoted(selector) + ")")
        .asBoolean();
  }

  @Test
  void newerText_endsTheSearchBefore() throws Exception {
    try (BrowserTab tab = console.tab()) {
      go(tab, "/search");
      tab.until("document.activeElement.type === 'search'");
      // The first search is never answered.
      var _ =
          tab.evaluate(
              """
              window.ended = 0;
              window.held = 0;
              window.real = window.fetch;
              window.fetch = (address, options) => {
                if (!String(address).endsWith('/search') || window.held++) return window.real(address, options);
                return new Promise((_, refuse) => options.signal.addEventListener('abort', () => {
                  window.ended++;
                  refuse(new DOMException('', 'AbortError'));
                }));
              };
              true
              """);
      tab.press("f");
      tab.until("window.held === 1");
      tab.press("u", "l", "l", " ", "j", "i", "t", "t", "e", "r");
      find(tab, ITEM);
      assertThat(tab.evaluate("window.ended").asInt()).isEqualTo(1);
      tab.until("document.querySelector('.answer').getAttribute('aria-busy') === 'false'");
      assertThat(text(tab, ITEM)).containsIgnoringCase("jitter");
    }
  }

  @Test
  void addressInTheField_goesToTheItem() throws Exception {
    try (BrowserTab tab = console.tab()) {
      go(tab, "/search");
      tab.until("document.activeElement.type === 'search'");
      tab.type("toc:day:2026-01-12");
      find(tab, "am-search .panel a[href='/toc/toc:day:2026-01-12']");
      tab.press("Enter");
      tab.until("location.pathname === '/toc/toc:day:2026-01-12'");

      go(tab, "/search?q=memory://toc/toc:day:2026-01-12");
      tab.click("am-search .panel a");
      tab.until("location.pathname === '/toc/toc:day:2026-01-12'");

      go(tab, "/search");
      var _ =
          tab.evaluate(
              """
              (() => {
                const data = new DataTransfer();
                data.setData('text/plain', ' memory://memory/01KG7Z5P0X0000000000000001 ');
                document.querySelector('am-search input').dispatchEvent(
                  new ClipboardEvent('paste', {clipboardData: data, bubbles: true, cancelable: true}));
                return true;
              })()
              """);
      tab.until("location.pathname === '/memories/01KG7Z5P0X0000000000000001'");
    }
  }

  @Test
  void hostileTexts_areShownAsText() throws Exception {
    try (BrowserTab tab = console.tab()) {
      go(tab, "/search?q=zanzibar+%3Cimg+src%3Dx+onerror%3Dwindow.hacked%3D4%3E&weak=1&context=1");
      find(tab, ITEM);
      tab.click(ITEM + " .acts [aria-label^=Evidence]");
      find(tab, "am-evidence .said");
      find(tab, "am-search-context .context");
      assertThat(tab.text())
          .contains("<script>window.hacked=2</script>")
          .contains("<b>hostile</b>")
          .contains("\u27e6U+202E\u27e7");
      assertThat(tab.evaluate("typeof window.hacked").asText()).isEqualTo("undefined");
      assertThat(
              tab.evaluate("document.querySelectorAll('main img, main script, main i').length")
                  .asInt())
          .isZero();
      assertThat(tab.problems()).isEmpty();
    }
  }

  @Test
  void page_hasNoViolation_lightAndDark_narrowAndWide() throws Exception {
    try (BrowserTab tab = console.tab()) {
      go(tab, "/search?q=full+jitter&context=1");
      find(tab, ITEM);
      find(tab, "am-search-context .context");
      tab.click(ITEM + " .acts [aria-expanded=false]");
      find(tab, ".why");
      tab.click(ITEM + " .acts [aria-label^=Evidence]");
      find(tab, "am-evidence .said");
      check(tab, "results");
      go(tab, "/search?q=jitter&after=2030-01-01");
      find(tab, ".nothing a");
      check(tab, "nothing");
    }
  }
}
