package dev.agentmemory.bench.console;

import dev.agentmemory.bench.console.page.ConsoleBrowser;
import dev.agentmemory.bench.console.page.ConsoleFigures;
import dev.agentmemory.bench.console.page.ConsolePart;
import dev.agentmemory.bench.daemon.BenchDaemon;
import dev.agentmemory.bench.daemon.Sending;
import dev.agentmemory.bench.data.GeneratedMemories;
import dev.agentmemory.bench.run.Site;
import dev.agentmemory.testkit.browser.BrowserTab;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Scrolls through a long list of memories and a long session.
final class LongPart implements ConsolePart {

  private static final String DATA = "long";

  private static final int MEMORIES = 10_000;
  private static final int TURNS = 20_000;

  private static final int WIDTH = 1_280;
  private static final int HEIGHT = 900;

  private static final double MOST_NODES = 3_000;
  private static final double MOST_DROPPED = 0.01;

  /// A list has come to rest in the browser.
  private static final String AT_REST =
      "new Promise(done => requestIdleCallback(() => setTimeout(() => requestIdleCallback(() => done(true)), 500)))";

  private final List<Scrolling> all = new ArrayList<>();

  @Override
  public String name() {
    return DATA;
  }

  @Override
  public void measure(Site site, ConsoleFigures figures) throws Exception {
    try (BenchDaemon daemon = site.daemon(DATA, Site.WITHOUT_EMBEDDINGS)) {
      new GeneratedMemories(Instant.now()).store(daemon.client(), 0, MEMORIES);
      Sending.stream(daemon.client(), LongSession.turns(TURNS));
      daemon.awaitToc();
      daemon.awaitIndexed();
      site.progress("filled");
      try (ConsoleBrowser browser = ConsoleBrowser.start(site, DATA)) {
        BrowserTab tab = browser.open();
        tab.size(WIDTH, HEIGHT);
        figure(figures, "memories", memories(tab, browser.base()));
        figure(figures, "turns", session(tab, browser.base()));
      }
    }
    double frames = all.stream().mapToDouble(Scrolling::frames).sum();
    double dropped = all.stream().mapToDouble(Scrolling::dropped).sum();
    double nodes = all.stream().mapToDouble(Scrolling::nodes).max().orElseThrow();
    figures.atMost(MOST_NODES, "long: most nodes of the page while scrolling", nodes, "nodes");
    figures.atMost(
        MOST_DROPPED, "long: dropped frames while scrolling", dropped / frames, "of all");
    figures.note(
        "long: %,d memories, a session of %,d turns; elements, texts and comments are nodes"
            .formatted(MEMORIES, TURNS));
  }

  private void figure(ConsoleFigures figures, String of, List<Scrolling> parts) {
    all.addAll(parts);
    for (Scrolling part : parts) {
      figures.row(
          "%s: %,.0f pixels, dropped frames of %,.0f".formatted(of, part.pixels(), part.frames()),
          "frames",
          part.dropped());
      figures.row(of + ": most nodes", "nodes", part.nodes());
    }
  }

  /// From the beginning, where more are loaded on the way, and from the end.
  private static List<Scrolling> memories(BrowserTab tab, String base) {
    tab.go(base + "/memories");
    atRest(tab, "am-memories am-list .rows > :nth-child(5)");
    Scrolling begin = Scrolling.of(tab, /* down= */ true);
    tab.until(
        "(scrollTo(0, document.documentElement.scrollHeight),"
            + " document.querySelector('am-memories am-list').count >= "
            + MEMORIES
            + ")");
    atRest(tab, "am-memories am-list .rows > :nth-child(5)");
    return List.of(
        begin, Scrolling.of(tab, /* down= */ false), Scrolling.of(tab, /* down= */ true));
  }

  /// From the beginning, from the middle in both directions, and from the end.
  private static List<Scrolling> session(BrowserTab tab, String base) {
    tab.go(base + "/sessions/" + LongSession.ID.value());
    atRest(tab, "am-session am-list.turns .said");
    Scrolling begin = Scrolling.of(tab, /* down= */ true);
    show(tab, TURNS / 2);
    Scrolling down = Scrolling.of(tab, /* down= */ true);
    Scrolling up = Scrolling.of(tab, /* down= */ false);
    show(tab, TURNS - 1);
    return List.of(begin, down, up, Scrolling.of(tab, /* down= */ false));
  }

  private static void show(BrowserTab tab, int turn) {
    var _ = tab.evaluate("document.querySelector('am-list.turns').show(" + turn + ")");
    atRest(tab, "am-list.turns [data-index='" + turn + "'] .said");
  }

  private static void atRest(BrowserTab tab, String shown) {
    tab.until("document.querySelector(" + BrowserTab.quoted(shown) + ")");
    var _ = tab.evaluate(AT_REST);
  }
}
