package dev.agentmemory.bench.console.hostile;

import dev.agentmemory.bench.console.flow.DayNodes;
import dev.agentmemory.bench.console.flow.FlowTab;
import dev.agentmemory.bench.run.Site;
import dev.agentmemory.testkit.browser.BrowserTab;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/// Shows hostile texts on every page of the console. Lists are scrolled to their ends; of pages for
/// one item every tenth is opened.
final class HostileTour {

  private static final int EVERY = 10;
  private static final int MOST_STEPS = 600;
  private static final int MOST_LOOKS = 60;
  private static final long BETWEEN_LOOKS_NANOS = 30_000_000L;
  private static final String ROW = "am-list [data-index]";

  private final Site site;
  private final FlowTab tab;
  private final HostileWatch watch;
  private final HostileStore store;
  private final List<String> texts;
  private final LocalDate firstDay;

  HostileTour(
      Site site,
      FlowTab tab,
      HostileWatch watch,
      HostileStore store,
      List<String> texts,
      LocalDate firstDay) {
    this.site = site;
    this.tab = tab;
    this.watch = watch;
    this.store = store;
    this.texts = texts;
    this.firstDay = firstDay;
  }

  void all() throws TimeoutException {
    for (Map.Entry<String, Part> part :
        List.<Map.Entry<String, Part>>of(
            Map.entry("timeline", this::timeline),
            Map.entry("sessions", this::sessions),
            Map.entry("search", this::search),
            Map.entry("memories", this::memories),
            Map.entry("status", () -> page("/status", "am-jobs [data-job]")),
            Map.entry("addresses", this::addresses),
            Map.entry("palette", this::palette),
            Map.entry("forgetting", this::forget))) {
      site.progress("hostile texts: " + part.getKey());
      part.getValue().show();
    }
  }

  private interface Part {

    void show() throws TimeoutException;
  }

  /// Loads a page and looks at it.
  private void page(String address, String selector) throws TimeoutException {
    watch.look("before " + address);
    tab.go(address);
    tab.find(selector);
    look(address);
  }

  /// Goes to an address without loading the page again.
  private void within(String address) {
    var _ =
        tab.value(
            "history.pushState(null, '', "
                + BrowserTab.quoted(address)
                + "); dispatchEvent(new PopStateEvent('popstate')); true");
    look(address);
  }

  private void look(String view) {
    settle();
    watch.look(view);
  }

  /// Waits until the page does not change any more.
  private void settle() {
    int before = -1;
    int same = 0;
    for (int looks = 0; looks < MOST_LOOKS && same < 3; looks++) {
      LockSupport.parkNanos(BETWEEN_LOOKS_NANOS);
      int now = tab.value("document.body.textContent.length").asInt();
      same = now == before ? same + 1 : 0;
      before = now;
    }
  }

  /// Scrolls to the end and looks at each window.
  private void scroll(String view) {
    double last = -1;
    int same = 0;
    for (int step = 0; step < MOST_STEPS && same < 3; step++) {
      look(view);
      double now =
          tab.value("(() => { scrollBy({top: 1200, behavior: 'instant'}); return scrollY; })()")
              .asDouble();
      same = now == last ? same + 1 : 0;
      last = now;
    }
  }

  private void clickAll(String selector) {
    var _ =
        tab.value(
            "(async () => { for (const e of document.querySelectorAll("
                + BrowserTab.quoted(selector)
                + ")) { e.click(); await new Promise(done => setTimeout(done, 20)); }"
                + " return true; })()");
  }

  private void timeline() throws TimeoutException {
    page("/", "am-contents [role=treeitem]");
    for (String colour : List.of("agent", "workspace")) {
      tab.choose("am-heat select", colour);
      look("colours of " + colour);
    }
    for (int day = 0; day < HostileStore.DAYS; day++) {
      String node = new DayNodes(firstDay.plusDays(day)).day();
      page("/toc/" + node, DayNodes.open(node));
      while (tab.count("[data-more] button") > 0) {
        tab.click("[data-more] button");
        settle();
      }
      String segments = "[data-node^=\"toc:segment:\"]";
      clickAll(segments + "[aria-expanded=false] .title");
      look("segments of " + node);
      int references = tab.count(segments + " .ref");
      for (int i = 0; i < references; i += EVERY) {
        clickAt(segments + " .ref", i);
        tab.find("am-evidence .turns, am-evidence .error");
        look("evidence of " + node);
      }
      page("/toc/" + node + "?versions=1", "am-versions [role=option]");
    }
  }

  private void clickAt(String selector, int index) {
    var _ =
        tab.value(
            "document.querySelectorAll("
                + BrowserTab.quoted(selector)
                + ")["
                + index
                + "]?.click(); true");
  }

  private void sessions() throws TimeoutException {
    page("/sessions", ROW);
    scroll("sessions");
    page("/sessions/" + HostileStore.ALL, "am-session .said");
    clickAll(".summary .fold");
    scroll("session " + HostileStore.ALL);
    for (int i = 0; i < store.sessions().size(); i += EVERY) {
      within("/sessions/" + segment(store.sessions().get(i)));
      tab.find("am-session .said, am-sessions .error");
      clickAll("am-session [data-fold][aria-expanded=false]");
      clickAll("am-session .note button");
      look("session " + i);
    }
  }

  private void search() throws TimeoutException {
    for (String find : List.of("turns", "summaries", "memories", "all")) {
      String address =
          "/search?q=" + HostileTexts.WORD + "&n=200&weak=1&context=1&budget=50000&find=" + find;
      page(address, "am-search-hits [data-item]");
      clickAll("am-search-hits .acts [aria-expanded=false]");
      look("reasons of " + find);
      int hits = tab.count("am-search-hits .acts [aria-label^=Evidence]");
      for (int i = 0; i < hits; i += EVERY) {
        clickAt("am-search-hits .acts [aria-label^=Evidence]", i);
        tab.find("am-evidence");
        look("evidence of " + find);
      }
    }
  }

  private void memories() throws TimeoutException {
    page("/memories", ROW);
    scroll("memories");
    page("/memories?kind=note", ".note-row");
    scroll("working notes");
    page("/memories?order=relevance&q=" + HostileTexts.WORD, ROW);
    for (int i = 0; i < store.memories().size(); i += EVERY) {
      within("/memories/" + store.memories().get(i));
      tab.find("am-memory .content, am-memory .error");
      clickAll("am-memory details:not([open]) summary");
      clickAll("am-memory .note button");
      look("memory " + i);
      for (String key : i % (EVERY * 5) == 0 ? List.of("e", "d") : List.<String>of()) {
        tab.press(key);
        tab.find("dialog[open]");
        look("dialog " + key + " of memory " + i);
        tab.press("Escape");
        tab.gone("dialog");
      }
    }
  }

  /// Texts in each part of an address.
  private void addresses() throws TimeoutException {
    page("/search", "am-search");
    for (int i = 0; i < texts.size(); i += EVERY * 2) {
      String text = HostileTexts.cut(texts.get(i), 300);
      String query = query(text);
      for (String address :
          List.of(
              "/search?q=" + query + "&context=1&agent=" + query + "&session=" + query,
              "/search?q=" + query + "&show=" + query + "&of=" + query + "&after=" + query,
              "/memories?q=" + query + "&tag=" + query + "&source=" + query,
              "/memories?asof=" + query + "&show=" + query + "&of=" + query,
              "/memories/" + segment(text),
              "/sessions/" + segment(text),
              "/sessions?event=" + query,
              "/sessions?workspace=" + query,
              "/status?workspace=" + query,
              "/toc/" + segment(text) + "?grip=" + query,
              "/toc/" + segment(text) + "?versions=1",
              "/?year=" + query,
              "/forget?session=" + query + "&topic=" + query + "&events=" + query + "&step=see",
              "/forget?receipt=" + query,
              "/forget?after=" + query + "&mention=" + query)) {
        within(address);
      }
      if (i % (EVERY * 10) == 0) {
        // Control characters are refused in a path.
        page("/toc/" + segment(text), "main, pre");
        page("/sessions/" + segment(text), "main, pre");
        page("/search?q=" + query, "main");
      }
    }
    // A search may have chosen a workspace of such a name.
    var _ = tab.value("sessionStorage.removeItem('memory.workspace'); true");
  }

  private void palette() throws TimeoutException {
    page("/", "am-contents [role=treeitem]");
    for (int i = 0; i < texts.size(); i += EVERY * 5) {
      tab.press("Ctrl+k");
      tab.find("dialog[open] input");
      tab.type(HostileTexts.name(texts.get(i), 300));
      look("palette");
      tab.press("Escape");
      tab.gone("dialog");
    }
  }

  private void forget() throws TimeoutException {
    page("/forget", "am-forget-choose");
    tab.click("am-forget-choose input[type=search]");
    tab.type(HostileTexts.WORD);
    tab.find("am-forget-choose .results li");
    look("items to be forgotten");
    clickAll("am-forget-choose .results li input");
    look("chosen items");
    // The text in the reason of a receipt.
    for (int i : List.of(1, 3, 5)) {
      within("/forget?session=" + query(store.sessions().get(i)) + "&mention=zanzibar");
      tab.click("am-forget-choose input[name=reason]");
      tab.type(HostileTexts.name(texts.get(i), 150));
      tab.click("am-forget-choose button[type=submit]");
      tab.find("am-forget-reach .samples");
      look("what goes");
      tab.click("am-forget > .buttons button.main");
      tab.click("[name=count]");
      tab.type(
          tab.value(
                  "/Type ([\\d,]+) to/.exec(document.querySelector('am-forget form').innerText)[1]"
                      + ".replaceAll(',', '')")
              .asText());
      tab.click("button.bad[type=submit]:enabled");
      tab.find(".receipt");
      look("receipt");
      page(tab.address(), ".receipt");
    }
  }

  private static String query(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  /// A part of a path, as the console writes it.
  private static String segment(String id) {
    String coded =
        query(id)
            .replace("+", "%20")
            .replace("%7E", "~7E")
            .replace("%2F", "~2F")
            .replace("%25", "~25")
            .replace("%5C", "~5C")
            .replace("%00", "~00");
    return coded.matches("[.]+") ? "~2E".repeat(coded.length()) : coded;
  }
}
