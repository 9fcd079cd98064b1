package dev.agentmemory.bench.console.hostile;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.agentmemory.bench.console.flow.FlowTab;
import dev.agentmemory.bench.console.page.ConsoleBrowser;
import dev.agentmemory.bench.console.page.ConsoleCalls;
import dev.agentmemory.bench.console.page.ConsoleFigures;
import dev.agentmemory.bench.console.page.ConsolePart;
import dev.agentmemory.bench.daemon.BenchDaemon;
import dev.agentmemory.bench.run.Site;
import dev.agentmemory.testkit.browser.BrowserTab;
import java.io.IOException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/// Hostile texts in every field on every page, and requests of pages of other origins.
public final class HostilePart implements ConsolePart {

  private static final String NAME = "hostile";
  private static final int TEXTS = Integer.getInteger("texts", 1000);
  private static final int MOST_NOTES = 30;
  private static final int CONTROLS = 100;

  /// A long text would make thousands of frames.
  private static final int MOST_CONTROL = 5000;

  private static final JsonMapper JSON = new JsonMapper();

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public void measure(Site site, ConsoleFigures figures) throws Exception {
    long seed = Long.getLong("seed", System.nanoTime() & 0x7fffffff);
    figures.note("hostile texts: seed " + seed);
    LocalDate firstDay =
        LocalDate.ofInstant(Instant.now(), ZoneOffset.UTC).minusDays(HostileStore.DAYS + 5);
    try (BenchDaemon daemon = site.daemon(NAME, Site.WITHOUT_EMBEDDINGS);
        ForeignServer other = ForeignServer.start();
        ConsoleCalls calls = ConsoleCalls.of(site.path(NAME))) {
      List<String> texts =
          HostileTexts.of(TEXTS, "http://127.0.0.1:" + other.port(), new SplittableRandom(seed));
      var store = new HostileStore(calls, firstDay.atTime(6, 0).toInstant(ZoneOffset.UTC));
      for (int i = 0; i < texts.size(); i++) {
        store.add(i, texts.get(i));
        if (i % 250 == 0) {
          site.progress("hostile texts stored: " + i);
        }
      }
      daemon.awaitToc();
      daemon.awaitIndexed();
      daemon.awaitExtracted();
      figures.note("hostile texts stored, by field: " + store.stored());
      figures.note("hostile texts refused, by field: " + store.refused());
      try (ConsoleBrowser browser =
          ConsoleBrowser.start(
              site, NAME, "--host-resolver-rules=MAP " + ForeignRequests.REBOUND + " 127.0.0.1")) {
        control(browser, other, texts, figures);
        foreign(site, browser, calls, other, figures);
        shown(site, browser, store, texts, firstDay, other, figures);
      }
    }
  }

  private static void shown(
      Site site,
      ConsoleBrowser browser,
      HostileStore store,
      List<String> texts,
      LocalDate firstDay,
      ForeignServer other,
      ConsoleFigures figures)
      throws Exception {
    try (FlowTab tab = FlowTab.open(browser)) {
      var watch = new HostileWatch(tab.tab(), tab.base());
      tab.go("/");
      tab.tab().forget();
      new HostileTour(site, tab, watch, store, texts, firstDay).all();
      List<String> elsewhere = watch.takeElsewhere();
      long trapped = trapped(other);
      figures.row("hostile: texts; looks at a page", "looks", watch.looks());
      figures.atMost(0, "hostile: scripts that have run", watch.scripts(), "scripts");
      figures.atMost(
          0, "hostile: requests elsewhere", elsewhere.size() + (double) trapped, "requests");
      figures.atMost(0, "hostile: violations of the policy", watch.violations(), "violations");
      figures.atMost(0, "hostile: elements made of texts", watch.elements(), "elements");
      figures.atMost(0, "hostile: looks with characters not made visible", watch.raw(), "looks");
      figures.row("hostile: looks at a page wider than the window", "looks", watch.sideways());
      watch.findings().stream().limit(MOST_NOTES).forEach(figures::note);
    }
  }

  /// What the texts do in a page that takes them for HTML: that nothing was counted in the console
  /// means something only if it is counted there.
  private static void control(
      ConsoleBrowser browser, ForeignServer other, List<String> texts, ConsoleFigures figures)
      throws IOException {
    String origin = "http://127.0.0.1:" + other.port();
    try (BrowserTab page = browser.tab()) {
      var watch = new HostileWatch(page, origin);
      List<String> some =
          texts.stream().filter(text -> text.length() < MOST_CONTROL).limit(CONTROLS).toList();
      for (String text : some) {
        page.go(origin + "/control");
        String literal = HostileTexts.ascii(JSON.writeValueAsString(text));
        var _ = page.evaluate("document.body.innerHTML = " + literal + "; true");
        look(watch);
      }
      long trapped = trapped(other);
      figures.row(
          "hostile: control, scripts that ran in a page of HTML", "scripts", watch.scripts());
      figures.row("hostile: control, requests elsewhere", "requests", (double) trapped);
      if (watch.scripts() == 0 || watch.elements() == 0 || watch.raw() == 0 || trapped == 0) {
        throw new IllegalStateException("the texts do nothing, or it is not seen");
      }
    }
    other.asked().clear();
  }

  /// A text may have led away from the page.
  private static void look(HostileWatch watch) {
    try {
      watch.look("control");
    } catch (IllegalStateException | AssertionError e) {
      // There is nothing to be seen then.
    }
  }

  private static long trapped(ForeignServer other) {
    return other.asked().stream().filter(path -> path.startsWith("/trap/")).count();
  }

  /// Pages of another origin, in the browser in which the console is open.
  private static void foreign(
      Site site,
      ConsoleBrowser browser,
      ConsoleCalls calls,
      ForeignServer other,
      ConsoleFigures figures)
      throws Exception {
    site.progress("pages of other origins");
    String base = browser.base();
    int port = Integer.parseInt(base.substring(base.lastIndexOf(':') + 1));
    try (BrowserTab console = browser.open()) {
      String key = console.evaluate("sessionStorage.getItem('memory.key')").asText();
      var requests = new ForeignRequests(port, key);
      requests.requireOwn(console);
      Map<String, String> before = ForeignRequests.state(calls);
      for (String origin :
          List.of(
              "http://127.0.0.1:" + other.port(),
              "http://localhost:" + other.port(),
              "http://" + ForeignRequests.REBOUND + ":" + other.port())) {
        try (BrowserTab page = browser.tab()) {
          page.go(origin + "/page");
          requests.from(page, base);
          requests.from(page, "http://localhost:" + port);
        }
      }
      // The name was this machine's when the page was loaded, and is the daemon's now.
      try (BrowserTab page = browser.tab()) {
        String rebound = "http://" + ForeignRequests.REBOUND + ":" + port;
        page.go(rebound + "/");
        requests.from(page, rebound);
        requests.from(page, base);
      }
      requests.asBytes(other.port());
      Map<String, String> after = ForeignRequests.state(calls);
      long changed =
          Stream.of(before.keySet().toArray(String[]::new))
              .filter(what -> !Objects.equals(before.get(what), after.get(what)))
              .peek(what ->
                  figures.note(
                      "changed by foreign requests: "
                          + what
                          + " from "
                          + before.get(what)
                          + " to "
                          + after.get(what)))
              .count();
      figures.row("hostile: requests of other origins", "requests", requests.sent());
      figures.atMost(
          0,
          "hostile: foreign requests that got data or changed any",
          requests.got().size() + (double) changed,
          "requests");
      requests.got().stream().limit(MOST_NOTES).forEach(one -> figures.note("got data: " + one));
    }
  }
}
