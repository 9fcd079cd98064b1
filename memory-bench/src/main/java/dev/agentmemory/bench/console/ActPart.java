package dev.agentmemory.bench.console;

import static dev.agentmemory.testkit.browser.BrowserTab.quoted;

import dev.agentmemory.api.contents.Contents;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.api.search.RelevanceThreshold;
import dev.agentmemory.api.search.SearchRequest;
import dev.agentmemory.bench.console.page.ConsoleBrowser;
import dev.agentmemory.bench.console.page.ConsoleFigures;
import dev.agentmemory.bench.console.page.ConsolePart;
import dev.agentmemory.bench.daemon.BenchDaemon;
import dev.agentmemory.bench.data.Talk;
import dev.agentmemory.bench.run.Site;
import dev.agentmemory.bench.run.Stock;
import dev.agentmemory.testkit.browser.BrowserTab;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.TocNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/// How long a person waits for what a key or a click asks for, above the time of the same call.
final class ActPart implements ConsolePart {

  private static final String DATA = "act";

  /// Acts of each kind that count, and those before them that do not.
  private static final int ACTS = 60;

  private static final int WARM_UP = 8;

  /// As the page asks.
  private static final int CHILDREN = 200;

  private static final int AROUND = 3;
  private static final int HITS = 20;
  private static final int LEAST_LETTERS = 5;
  private static final int QUERY_WORDS = 3;

  private static final String NOT_BUSY =
      "document.querySelector('am-search .answer[aria-busy=false]')";

  private final ActTimes nodes = new ActTimes("open a node");
  private final ActTimes grips = new ActTimes("open a grip");
  private final ActTimes searches = new ActTimes("search");

  @Override
  public String name() {
    return DATA;
  }

  /// A node, the one above it, and one below it.
  private record Way(TocNode above, TocNode node, TocNode below) {}

  @Override
  public void measure(Site site, ConsoleFigures figures) throws Exception {
    site.stocked(DATA);
    try (BenchDaemon daemon = site.daemon(DATA, Site.WITHOUT_EMBEDDINGS);
        ConsoleBrowser browser = ConsoleBrowser.start(site, DATA)) {
      BrowserTab tab = browser.open();
      contents(daemon, tab, browser.base());
      site.progress("nodes and grips");
      search(daemon, tab, browser.base());
    }
    for (ActTimes times : List.of(nodes, grips, searches)) {
      times.figure(figures);
    }
    figures.note(
        "act: %,d events; opened with mouse and keyboard in turns; searches by words, without embeddings"
            .formatted(Stock.events()));
  }

  /// Opens weeks, their first days, and the evidence of these. The page is loaded anew each time,
  /// so that nothing is known to it.
  private void contents(BenchDaemon daemon, BrowserTab tab, String base) {
    Contents contents = daemon.client().contents();
    List<Way> ways = ways(contents);
    for (int i = 0; i < WARM_UP + ACTS; i++) {
      Way way = ways.get(i * ways.size() / (WARM_UP + ACTS));
      boolean counts = i >= WARM_UP;
      boolean mouse = i % 2 == 0;
      tab.go(base + "/toc/" + way.above().id().value());
      tab.until("document.querySelector('am-heat')?.activity && " + row(way.node()));
      node(tab, way.node(), contents, mouse, counts);
      node(tab, way.below(), contents, mouse, counts);
      grip(tab, way.below(), contents, mouse, counts);
    }
  }

  private void node(
      BrowserTab tab, TocNode node, Contents contents, boolean mouse, boolean counts) {
    NodeId id = node.id();
    String item = "document.querySelector('[data-node=\"" + id.value() + "\"][aria-expanded]')";
    Supplier<TimedAct> act =
        () ->
            mouse
                ? TimedAct.of(tab, "click", shown(node), () -> tab.click(title(id)))
                : TimedAct.of(
                    tab,
                    "keydown",
                    shown(node),
                    () -> {
                      var _ = tab.evaluate(item + ".focus()");
                      tab.press("Enter");
                    });
    measure(nodes, counts, act, () -> contents.children(id, PageRequest.of(CHILDREN)));
  }

  private void grip(
      BrowserTab tab, TocNode node, Contents contents, boolean mouse, boolean counts) {
    GripId grip = node.grips().getFirst();
    String bullet = "[data-node=\"" + node.id().value() + "\"][data-bullet]";
    String shown = "document.querySelector('am-evidence mark')";
    Supplier<TimedAct> act =
        () ->
            mouse
                ? TimedAct.of(tab, "click", shown, () -> tab.click(bullet + " a.ref"))
                : TimedAct.of(
                    tab,
                    "keydown",
                    shown,
                    () -> {
                      var _ =
                          tab.evaluate("document.querySelector(" + quoted(bullet) + ").focus()");
                      tab.press("o");
                    });
    measure(grips, counts, act, () -> contents.expand(grip, AROUND, AROUND));
  }

  private static void measure(
      ActTimes times, boolean counts, Supplier<TimedAct> act, Supplier<?> call) {
    if (counts) {
      times.measure(act, call);
    } else {
      var _ = act.get();
    }
  }

  private void search(BenchDaemon daemon, BrowserTab tab, String base) {
    tab.go(base + "/search");
    tab.until("document.activeElement?.type === 'search'");
    for (int i = 0; i < WARM_UP + ACTS; i++) {
      String query = query(i);
      String last = query.substring(query.length() - 1);
      tab.type(query.substring(0, query.length() - 1));
      tab.until(NOT_BUSY);
      var _ = tab.evaluate("window.asked = false");
      // The search begins in an update of the page; its result comes later.
      String found = "(window.asked ||= !" + NOT_BUSY + ") && " + NOT_BUSY;
      SearchRequest request =
          SearchRequest.of(query, HITS, Instant.now())
              .withThreshold(RelevanceThreshold.DEFAULT)
              .withExplain(true);
      measure(
          searches,
          i >= WARM_UP,
          () -> TimedAct.of(tab, "keydown", found, () -> tab.press(last)),
          () -> daemon.client().search().search(request));
      var _ = tab.evaluate("document.activeElement.select()");
      tab.press("Backspace");
      tab.until("!document.querySelector('am-search .answer')");
    }
  }

  /// Words that stand in one event of the store.
  private static String query(int number) {
    int sessions = Stock.events() / Talk.IN_SESSION;
    String text =
        Talk.session((int) ((long) number * sessions / (WARM_UP + ACTS))).getFirst().text();
    return Arrays.stream(text.toLowerCase(Locale.ROOT).split("[^a-z]+", -1))
        .filter(word -> word.length() >= LEAST_LETTERS)
        .distinct()
        .limit(QUERY_WORDS)
        .collect(Collectors.joining(" "));
  }

  private static String title(NodeId id) {
    return "[data-node=\"" + id.value() + "\"] > .row > a.title";
  }

  private static String row(TocNode node) {
    return "document.querySelector(" + quoted(title(node.id())) + ")";
  }

  /// The first child is there.
  private static String shown(TocNode node) {
    return "document.querySelector('[data-node=\""
        + node.id().value()
        + "\"] > [role=group] [data-node=\""
        + node.children().getFirst().value()
        + "\"]')";
  }

  /// All weeks that have a day with evidence.
  private static List<Way> ways(Contents contents) {
    List<Way> ways = new ArrayList<>();
    for (TocNode year : contents.root()) {
      for (TocNode month : children(contents, year)) {
        for (TocNode week : children(contents, month)) {
          children(contents, week).stream()
              .filter(day -> !day.grips().isEmpty() && !day.children().isEmpty())
              .findFirst()
              .ifPresent(day -> ways.add(new Way(month, week, day)));
        }
      }
    }
    return ways;
  }

  private static List<TocNode> children(Contents contents, TocNode parent) {
    return contents.children(parent.id(), PageRequest.of(CHILDREN)).items();
  }
}
