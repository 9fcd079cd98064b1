package dev.agentmemory.bench.console;

import dev.agentmemory.bench.console.page.ConsoleBrowser;
import dev.agentmemory.bench.console.page.ConsoleFigures;
import dev.agentmemory.bench.console.page.ConsolePart;
import dev.agentmemory.bench.daemon.BenchDaemon;
import dev.agentmemory.bench.daemon.PacedIngest;
import dev.agentmemory.bench.data.Years;
import dev.agentmemory.bench.result.Measured;
import dev.agentmemory.bench.run.Site;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.testkit.browser.BrowserTab;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// What the start page costs that stays open while events come in: the page, and those who wait for
/// their events.
final class LivePart implements ConsolePart {

  private static final String DATA = "live";

  private static final int PER_SECOND = 50;

  /// Stored before, so that the daemon's code is compiled.
  private static final int BEFORE = 100_000;

  /// This part of the time is warm-up.
  private static final int OF_TIME = 5;

  /// Samples at the beginning and at the end, of which the median counts.
  private static final int SAMPLES = 3;

  private static final long SAMPLE_MILLIS = 20_000;
  private static final long SIDE_MILLIS = 30_000;
  private static final long SETTLE_MILLIS = 5_000;

  private static final double SLOW = 0.95;
  private static final double MOST_GROWTH = 1.10;
  private static final double MOST_OF_ALONE = 1.05;

  private static final String EMPTY = "about:blank";

  @Override
  public String name() {
    return DATA;
  }

  private static long millis() {
    return TimeUnit.MINUTES.toMillis(Integer.getInteger("console.minutes", 30));
  }

  @Override
  public void measure(Site site, ConsoleFigures figures) throws Exception {
    try (BenchDaemon daemon = site.daemon(DATA, Site.WITHOUT_EMBEDDINGS)) {
      Years.fill(daemon, BEFORE);
      daemon.awaitIndexed();
      site.progress("filled");
      try (ConsoleBrowser browser = ConsoleBrowser.start(site, DATA);
          MemoryClient sending = daemon.another();
          var load = PacedIngest.start(sending, PER_SECOND, LiveEvents::event)) {
        BrowserTab tab = browser.open();
        // The browser keeps what requests were answered for this domain.
        var _ = tab.call("Network.disable", Map.of());
        growth(site, tab, figures);
        ingest(site, browser.base(), tab, load, figures);
      }
    }
  }

  private static void growth(Site site, BrowserTab tab, ConsoleFigures figures)
      throws InterruptedException {
    List<PageMemory> samples = new ArrayList<>();
    Thread.sleep(millis() / OF_TIME);
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis() - millis() / OF_TIME);
    while (System.nanoTime() < end || samples.size() < 2 * SAMPLES) {
      Thread.sleep(SAMPLE_MILLIS);
      samples.add(PageMemory.of(tab));
    }
    Measured heap = new Measured(samples.stream().map(PageMemory::heap).toList());
    Measured nodes = new Measured(samples.stream().map(PageMemory::nodes).toList());
    site.progress("growth: heap %.3f, nodes %.3f".formatted(growth(heap), growth(nodes)));
    figures.atMost(
        MOST_GROWTH, "live: heap of the page, end / after warm-up", growth(heap), "ratio");
    figures.atMost(
        MOST_GROWTH, "live: nodes of the page, end / after warm-up", growth(nodes), "ratio");
    figures.row(
        "heap of the page, a sample each 20 s",
        "MB",
        new Measured(heap.values().stream().map(bytes -> bytes / 1e6).toList()));
    figures.row("nodes of the page", "nodes", nodes);
    figures.note(
        "live: %d events a second for %d minutes, the first fifth of them warm-up; garbage is collected before each sample"
            .formatted(PER_SECOND, TimeUnit.MILLISECONDS.toMinutes(millis())));
  }

  /// Median of the last samples over that of the first.
  private static double growth(Measured samples) {
    List<Double> values = samples.values();
    double first = new Measured(values.subList(0, SAMPLES)).median();
    return new Measured(values.subList(values.size() - SAMPLES, values.size())).median() / first;
  }

  /// With the page and with an empty page in turns, under the same load.
  private static void ingest(
      Site site, String base, BrowserTab tab, PacedIngest load, ConsoleFigures figures)
      throws InterruptedException {
    long pairs = Math.max(3, millis() / 2 / (2 * SIDE_MILLIS));
    List<Double> with = new ArrayList<>();
    List<Double> without = new ArrayList<>();
    for (int pair = 0; pair < pairs; pair++) {
      boolean pageFirst = pair % 2 == 0;
      double first = side(base, tab, load, pageFirst);
      double second = side(base, tab, load, !pageFirst);
      with.add(pageFirst ? first : second);
      without.add(pageFirst ? second : first);
      site.progress(
          "p95 of ingest: %.2f ms with the page, %.2f without"
              .formatted(with.getLast(), without.getLast()));
    }
    var p95 = new Measured(with);
    var alone = new Measured(without);
    figures.atMost(
        MOST_OF_ALONE,
        "live: p95 of ingest with the page / without, median of the pairs",
        p95.over(alone).median(),
        "ratio");
    figures.row("p95 of ingest with the page", "ms", p95);
    figures.row("p95 of ingest without the page", "ms", alone);
    figures.row("p95 with / without", "ratio", p95.over(alone));
  }

  private static double side(String base, BrowserTab tab, PacedIngest load, boolean page)
      throws InterruptedException {
    if (page) {
      tab.go(base + "/");
      tab.until("document.querySelector('am-contents [role=treeitem]')");
    } else {
      tab.go(EMPTY);
    }
    Thread.sleep(SETTLE_MILLIS);
    load.measure();
    Thread.sleep(SIDE_MILLIS);
    return load.measured().percentile(SLOW);
  }
}
