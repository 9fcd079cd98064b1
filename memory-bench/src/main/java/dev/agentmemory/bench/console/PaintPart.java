package dev.agentmemory.bench.console;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentmemory.bench.console.page.ConsoleBrowser;
import dev.agentmemory.bench.console.page.ConsoleFigures;
import dev.agentmemory.bench.console.page.ConsolePart;
import dev.agentmemory.bench.data.Talk;
import dev.agentmemory.bench.result.Measured;
import dev.agentmemory.bench.run.Site;
import dev.agentmemory.bench.run.Stock;
import dev.agentmemory.testkit.browser.BrowserTab;
import java.io.IOException;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// How soon a new browser shows the start page, and how soon the timeline is usable.
final class PaintPart implements ConsolePart {

  private static final String DATA = "paint";

  /// A page of the same server that is a line of text.
  private static final String BLANK = "/health";

  private static final double MOST_OF_BLANK = 3;
  private static final double MOST_MILLIS = 1_000;
  private static final double MOST_USABLE_OF_BLANK = 6;
  private static final double SLOW = 0.95;

  /// Tells when something was painted first, and when the heat map has days and the table of
  /// contents its roots: when the second frame after that begins, the first is on the screen.
  private static final String WATCH =
      """
      (() => {
        const first = new Promise(done => new PerformanceObserver(list => {
          for (const entry of list.getEntries()) {
            if (entry.name === 'first-contentful-paint') done(entry.startTime);
          }
        }).observe({type: 'paint', buffered: true}));
        const isUsable = () => document.querySelector('am-contents [role=treeitem]')
            && document.querySelector('am-heat [role=gridcell]:not(.heat-0)');
        const usable = new Promise(done => {
          const look = new MutationObserver(() => {
            if (!isUsable()) return;
            look.disconnect();
            requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now())));
          });
          look.observe(document, {subtree: true, childList: true, attributes: true, attributeFilter: ['class']});
        });
        window.painted = {first, usable};
      })();
      """;

  @Override
  public String name() {
    return DATA;
  }

  /// Opened pages of each kind that count.
  private static int rounds() {
    return Integer.getInteger("console.rounds", 20);
  }

  /// @param first milliseconds until something was painted
  /// @param usable milliseconds until the timeline could be used; of the blank page as `first`
  private record Times(double first, double usable) {}

  @Override
  public void measure(Site site, ConsoleFigures figures) throws Exception {
    site.stocked(DATA);
    List<Times> pages = new ArrayList<>();
    List<Times> blanks = new ArrayList<>();
    try (var _ = site.daemon(DATA, Site.WITHOUT_EMBEDDINGS)) {
      ConsoleKey key;
      try (ConsoleBrowser browser = ConsoleBrowser.start(site, DATA)) {
        key = ConsoleKey.of(browser.base(), browser.open());
      }
      // The first round is not counted: it is the daemon's first answer of this kind.
      for (int round = 0; round <= rounds(); round++) {
        boolean pageFirst = round % 2 == 0;
        Times first = open(site, key, pageFirst);
        Times second = open(site, key, !pageFirst);
        if (round > 0) {
          pages.add(pageFirst ? first : second);
          blanks.add(pageFirst ? second : first);
        }
      }
    }
    figure(figures, pages, blanks);
  }

  private static Times open(Site site, ConsoleKey key, boolean page) throws IOException {
    try (ConsoleBrowser browser = ConsoleBrowser.start(site, DATA)) {
      BrowserTab tab = browser.tab();
      key.give(tab);
      ConsoleKey.run(tab, WATCH);
      String address = key.base() + (page ? "/?year=" + year() : BLANK);
      // Answered when the new document is there.
      var _ = tab.call("Page.navigate", Map.of("url", address));
      double first = number(tab.evaluate("painted.first"));
      return new Times(first, page ? number(tab.evaluate("painted.usable")) : first);
    }
  }

  private static double number(JsonNode value) {
    if (!value.isNumber()) {
      throw new IllegalStateException("not a number: " + value);
    }
    return value.asDouble();
  }

  /// A year of which the events have most days.
  private static int year() {
    int middle = Stock.events() / Talk.IN_SESSION / 2;
    return Talk.start(middle).atZone(ZoneOffset.UTC).getYear();
  }

  private static void figure(ConsoleFigures figures, List<Times> pages, List<Times> blanks) {
    Measured first = new Measured(pages.stream().map(Times::first).toList());
    Measured usable = new Measured(pages.stream().map(Times::usable).toList());
    Measured blank = new Measured(blanks.stream().map(Times::first).toList());
    double slowBlank = blank.percentile(SLOW);
    figures.atMost(
        MOST_OF_BLANK,
        "paint: first contentful paint / that of a blank page",
        first.over(blank).median(),
        "ratio");
    figures.atMost(
        Math.max(MOST_MILLIS, MOST_USABLE_OF_BLANK * slowBlank),
        "paint: timeline usable, p95",
        usable.percentile(SLOW),
        "ms");
    figures.row("first contentful paint", "ms", first);
    figures.row("first contentful paint of a blank page", "ms", blank);
    figures.row("timeline usable", "ms", usable);
    figures.row("p95 of a blank page", "ms", slowBlank);
    figures.row(
        "timeline usable, p95 / that of a blank page",
        "ratio",
        usable.percentile(SLOW) / slowBlank);
    figures.note(
        "paint: a new browser each time, %,d events; the bar of `usable` is the larger of 1 s and 6 x p95 of the blank page"
            .formatted(Stock.events()));
  }
}
