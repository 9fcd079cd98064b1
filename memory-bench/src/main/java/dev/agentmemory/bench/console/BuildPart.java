package dev.agentmemory.bench.console;

import dev.agentmemory.bench.console.page.ConsoleFigures;
import dev.agentmemory.bench.console.page.ConsolePart;
import dev.agentmemory.bench.result.Measured;
import dev.agentmemory.bench.run.Site;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/// Whether the bundle is the same in two builds, and how long it takes.
final class BuildPart implements ConsolePart {

  private static final String NAME = "build";
  private static final int ROUNDS = 5;
  private static final double MOST_SECONDS = 10;

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public void measure(Site site, ConsoleFigures figures) throws Exception {
    Path root = Path.of(System.getProperty("bench.root", ".")).toRealPath();
    FreshCheckout one = FreshCheckout.of(root, site.path("checkout-one"));
    FreshCheckout other = FreshCheckout.of(root, site.path("checkout-two"));
    if (one.has("node")) {
      throw new IllegalStateException("there is a Node on the path of the builds");
    }
    List<Double> starts = new ArrayList<>();
    List<Double> packages = new ArrayList<>();
    List<Double> verifies = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      site.progress("build, round " + (round + 1) + " of " + ROUNDS);
      one.clean();
      starts.add(one.maven("validate"));
      packages.add(one.maven("package"));
      one.clean();
      verifies.add(one.maven("verify"));
    }
    var _ = other.maven("package");
    Map<String, String> first = one.bundle();
    Map<String, String> second = other.bundle();
    long differing =
        Stream.concat(first.keySet().stream(), second.keySet().stream())
            .distinct()
            .filter(name -> !Objects.equals(first.get(name), second.get(name)))
            .count();
    figures.row("build: files of the bundle", "files", first.size());
    figures.atMost(0, "build: files that differ in two builds", (double) differing, "files");
    var start = new Measured(starts);
    figures.row("build: Maven that does nothing", "s", start);
    figures.row("build: the module of the console, packaged", "s", new Measured(packages));
    figures.row("build: the same, and its types checked", "s", new Measured(verifies));
    figures.atMost(
        MOST_SECONDS,
        "build: seconds that the console adds, types checked",
        new Measured(verifies).median() - start.median(),
        "s");
  }
}
