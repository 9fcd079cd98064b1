package dev.agentmemory.bench.console;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentmemory.bench.console.flow.SampleStore;
import dev.agentmemory.bench.console.page.ConsoleBrowser;
import dev.agentmemory.bench.console.page.ConsoleFigures;
import dev.agentmemory.bench.console.page.ConsolePart;
import dev.agentmemory.bench.result.Measured;
import dev.agentmemory.bench.run.Site;
import dev.agentmemory.testkit.browser.BrowserTab;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What Lighthouse says of the start page. The page needs a key: the console is opened in one tab
/// of the browser, and the tab that Lighthouse opens takes the key over from it, as a new tab of a
/// person does.
final class LighthousePart implements ConsolePart {

  private static final String NAME = "lighthouse";
  private static final int ROUNDS = 3;
  private static final double LEAST = 95;
  private static final double MOST_SHIFT = 0.02;
  private static final List<String> CATEGORIES =
      List.of("performance", "accessibility", "best-practices");

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public void measure(Site site, ConsoleFigures figures) throws Exception {
    Path folder = Path.of(System.getProperty("bench.root", "."), "memory-bench/target/lighthouse");
    Optional<LighthouseProgram> program = LighthouseProgram.find(folder);
    if (program.isEmpty()) {
      figures.note(
          "lighthouse: not run: npm could not install lighthouse "
              + LighthouseProgram.VERSION
              + " and Node 22");
      figures.atLeast(LEAST, "lighthouse: not run", Double.NaN, "points");
      return;
    }
    measure(site, program.get(), figures);
  }

  private static void measure(Site site, LighthouseProgram program, ConsoleFigures figures)
      throws IOException, InterruptedException {
    Map<String, List<Double>> points = new LinkedHashMap<>();
    List<Double> shifts = new ArrayList<>();
    try (SampleStore _ = SampleStore.start(site, NAME, Site.WITHOUT_EMBEDDINGS);
        ConsoleBrowser browser = ConsoleBrowser.start(site, NAME);
        BrowserTab _ = browser.open()) {
      for (int round = 0; round < ROUNDS; round++) {
        site.progress("lighthouse, round " + (round + 1) + " of " + ROUNDS);
        JsonNode report =
            program.look(
                browser.base() + "/", browser.port(), site.path("lighthouse-" + round + ".json"));
        requireOpened(report);
        for (String category : CATEGORIES) {
          double score = report.path("categories").path(category).path("score").asDouble();
          points.computeIfAbsent(category, _ -> new ArrayList<>()).add(100 * score);
        }
        shifts.add(
            report.path("audits").path("cumulative-layout-shift").path("numericValue").asDouble());
        tell(report, figures);
      }
    }
    points.forEach((category, values) -> {
      var measured = new Measured(values);
      figures.row("lighthouse: " + category, "points", measured);
      figures.atLeast(LEAST, "lighthouse: " + category, measured.median(), "points");
    });
    var shift = new Measured(shifts);
    figures.row("lighthouse: layout shift", "shift", shift);
    figures.atMost(MOST_SHIFT, "lighthouse: layout shift", shift.median(), "shift");
    figures.note(
        "lighthouse "
            + LighthouseProgram.VERSION
            + ", default throttling, median of "
            + ROUNDS
            + " rounds");
  }

  /// The page that only says what to do has good figures, too.
  private static void requireOpened(JsonNode report) throws IOException {
    boolean called = report.toString().contains("/api/v1/activity");
    if (!called) {
      throw new IllegalStateException("lighthouse has not seen the opened start page");
    }
  }

  /// Each audit that costs points.
  private static void tell(JsonNode report, ConsoleFigures figures) {
    for (String category : CATEGORIES) {
      for (JsonNode reference : report.path("categories").path(category).path("auditRefs")) {
        JsonNode audit = report.path("audits").path(reference.path("id").asText());
        boolean scored = audit.path("score").isNumber() && reference.path("weight").asDouble() > 0;
        if (scored && audit.path("score").asDouble() < 0.9) {
          figures.note(
              "lighthouse, %s: %s %s %s"
                  .formatted(
                      category,
                      audit.path("id").asText(),
                      audit.path("score").asText(),
                      audit.path("displayValue").asText()));
        }
      }
    }
  }
}
