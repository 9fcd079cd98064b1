package dev.agentmemory.bench;

import dev.agentmemory.bench.abuse.AbuseBenchmark;
import dev.agentmemory.bench.agents.AgentsBenchmark;
import dev.agentmemory.bench.agents.AgentsCostBenchmark;
import dev.agentmemory.bench.compare.AgainstFormer;
import dev.agentmemory.bench.compare.Comparison;
import dev.agentmemory.bench.console.ConsoleBenchmark;
import dev.agentmemory.bench.crash.CrashBenchmark;
import dev.agentmemory.bench.daemon.Children;
import dev.agentmemory.bench.damage.DamageBenchmark;
import dev.agentmemory.bench.digest.DigestBenchmark;
import dev.agentmemory.bench.forget.ForgetBenchmark;
import dev.agentmemory.bench.fuzz.FuzzBenchmark;
import dev.agentmemory.bench.history.ImportBenchmark;
import dev.agentmemory.bench.hook.HookDownBenchmark;
import dev.agentmemory.bench.hook.HookHttpBenchmark;
import dev.agentmemory.bench.hook.HookShellBenchmark;
import dev.agentmemory.bench.hook.ProcessesBenchmark;
import dev.agentmemory.bench.mcp.ConformanceBenchmark;
import dev.agentmemory.bench.mcp.McpBenchmark;
import dev.agentmemory.bench.model.LlmCostBenchmark;
import dev.agentmemory.bench.model.LlmOutageBenchmark;
import dev.agentmemory.bench.process.CliBenchmark;
import dev.agentmemory.bench.process.FlatBenchmark;
import dev.agentmemory.bench.process.MemoryBenchmark;
import dev.agentmemory.bench.process.OpenBenchmark;
import dev.agentmemory.bench.process.WorkspacesBenchmark;
import dev.agentmemory.bench.recall.ExtractionBenchmark;
import dev.agentmemory.bench.recall.MemoriesQueryBenchmark;
import dev.agentmemory.bench.recall.MemoriesUpkeepBenchmark;
import dev.agentmemory.bench.recall.MemoriesWriteBenchmark;
import dev.agentmemory.bench.recall.OrientBenchmark;
import dev.agentmemory.bench.recall.SupersedeBenchmark;
import dev.agentmemory.bench.result.Report;
import dev.agentmemory.bench.result.Result;
import dev.agentmemory.bench.retrieval.NoiseBenchmark;
import dev.agentmemory.bench.retrieval.RetrievalBenchmark;
import dev.agentmemory.bench.retrieval.UpdatesBenchmark;
import dev.agentmemory.bench.run.Benchmark;
import dev.agentmemory.bench.run.Leftovers;
import dev.agentmemory.bench.run.Site;
import dev.agentmemory.bench.run.Stock;
import dev.agentmemory.bench.search.EmbedBenchmark;
import dev.agentmemory.bench.search.FreshnessBenchmark;
import dev.agentmemory.bench.search.IndexSizeBenchmark;
import dev.agentmemory.bench.search.RebuildBenchmark;
import dev.agentmemory.bench.search.SearchSpeedBenchmark;
import dev.agentmemory.bench.search.SearchVersusSqliteBenchmark;
import dev.agentmemory.bench.search.TrickleBenchmark;
import dev.agentmemory.bench.secrets.SecretsBenchmark;
import dev.agentmemory.bench.soak.SoakBenchmark;
import dev.agentmemory.bench.storage.AuthCostBenchmark;
import dev.agentmemory.bench.storage.BackupBenchmark;
import dev.agentmemory.bench.storage.IngestBenchmark;
import dev.agentmemory.bench.storage.LatencyBenchmark;
import dev.agentmemory.bench.storage.OrderBenchmark;
import dev.agentmemory.bench.storage.SizeBenchmark;
import dev.agentmemory.bench.storage.UnaryBenchmark;
import dev.agentmemory.bench.toc.GripsBenchmark;
import dev.agentmemory.bench.toc.SummariesBenchmark;
import dev.agentmemory.bench.toc.TocBenchmark;
import dev.agentmemory.bench.torture.TortureBenchmark;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Runs benchmarks by name. Exit status: 0 when all thresholds are met, 1 when not, 2 on a usage
/// error.
public final class Benchmarks {

  private static final List<Benchmark> ALL =
      List.of(
          new IngestBenchmark(),
          new McpBenchmark(),
          new ConformanceBenchmark(),
          new HookShellBenchmark(),
          new HookDownBenchmark(),
          new HookHttpBenchmark(),
          new ImportBenchmark(),
          new ProcessesBenchmark(),
          new AgentsBenchmark(),
          new AgentsCostBenchmark(),
          new UnaryBenchmark(),
          new LatencyBenchmark(),
          new TocBenchmark(),
          new CrashBenchmark(),
          new DamageBenchmark(),
          new BackupBenchmark(),
          new ForgetBenchmark(),
          new OrderBenchmark(),
          new GripsBenchmark(),
          new SummariesBenchmark(),
          new DigestBenchmark(),
          new FlatBenchmark(),
          new OpenBenchmark(),
          new CliBenchmark(),
          new MemoryBenchmark(),
          new SizeBenchmark(),
          new RetrievalBenchmark(),
          new NoiseBenchmark(),
          new UpdatesBenchmark(),
          new SearchVersusSqliteBenchmark(),
          new SearchSpeedBenchmark(),
          new FreshnessBenchmark(),
          new TrickleBenchmark(),
          new RebuildBenchmark(),
          new EmbedBenchmark(),
          new IndexSizeBenchmark(),
          new WorkspacesBenchmark(),
          new MemoriesWriteBenchmark(),
          new MemoriesQueryBenchmark(),
          new MemoriesUpkeepBenchmark(),
          new OrientBenchmark(),
          new ExtractionBenchmark(),
          new SupersedeBenchmark(),
          new SecretsBenchmark(),
          new AuthCostBenchmark(),
          new FuzzBenchmark(),
          new AbuseBenchmark(),
          new SoakBenchmark(),
          new TortureBenchmark(),
          new ConsoleBenchmark(),
          new LlmCostBenchmark(),
          new LlmOutageBenchmark());

  private final PrintStream out;
  private final PrintStream err;
  private final Path root;

  private Benchmarks(PrintStream out, PrintStream err, Path root) {
    this.out = out;
    this.err = err;
    this.root = root;
  }

  /// @param args `[--data DIR] [--against DIR] NAME...`, `all` or `list`; a folder after the names
  ///   is that of the data. The property `bench.root` is the checkout
  public static void main(String[] args) throws IOException {
    Path root = Path.of(System.getProperty("bench.root", ".")).toAbsolutePath().normalize();
    System.exit(new Benchmarks(System.out, System.err, root).run(List.of(args)));
  }

  private int run(List<String> args) throws IOException {
    Path data =
        Optional.ofNullable(System.getenv("BENCH_DATA"))
            .map(Path::of)
            .orElse(root.resolveSibling("shared").resolve("data"));
    var names = new ArrayList<>(args);
    Optional<Path> against;
    try {
      data = folder(names, "--data").orElse(data);
      against = folder(names, "--against");
    } catch (IllegalArgumentException e) {
      return usage(String.valueOf(e.getMessage()));
    }
    if (names.size() > 1 && isFolder(names.getLast())) {
      data = Path.of(names.removeLast());
    }
    if (names.equals(List.of("list"))) {
      ALL.forEach(benchmark -> out.printf("%-16s %s%n", benchmark.name(), benchmark.shows()));
      return 0;
    }
    List<Benchmark> chosen = names.equals(List.of("all")) ? ALL : chosen(names);
    if (chosen.isEmpty() || chosen.size() < names.size()) {
      return usage(names.isEmpty() ? "no benchmark named" : "unknown benchmark in " + names);
    }
    if (against.isPresent()) {
      Path former = dist(against.get().toAbsolutePath().normalize());
      if (!Files.isExecutable(former.resolve("bin").resolve("memory"))) {
        return usage("no packaged daemon in " + former + "; run ./memory --version there first");
      }
      Optional<Benchmark> alone =
          chosen.stream().filter(one -> !(one instanceof Comparison.Possible)).findFirst();
      if (alone.isPresent()) {
        return usage(alone.get().name() + " cannot be compared with another package");
      }
      chosen = against(chosen, former);
    }
    return holds(chosen, data.toAbsolutePath().normalize());
  }

  /// Whether all thresholds of all benchmarks are met, as an exit status.
  private int holds(List<Benchmark> chosen, Path data) throws IOException {
    Leftovers.remove(Site.runs(own()));
    try (var stock = new Stock(Site.runs(own()))) {
      var hook = new Thread(() -> interrupted(stock::close));
      Runtime.getRuntime().addShutdownHook(hook);
      boolean hold = true;
      for (Benchmark benchmark : chosen) {
        hold &= holds(benchmark, data, stock);
      }
      Runtime.getRuntime().removeShutdownHook(hook);
      return hold ? 0 : 1;
    }
  }

  /// Removes an option with a folder from the arguments.
  private static Optional<Path> folder(List<String> args, String option) {
    int at = args.indexOf(option);
    if (at < 0) {
      return Optional.empty();
    }
    if (at + 1 == args.size()) {
      throw new IllegalArgumentException(option + " needs a folder");
    }
    args.remove(at);
    return Optional.of(Path.of(args.remove(at)));
  }

  private static List<Benchmark> against(List<Benchmark> chosen, Path former) {
    var comparisons = new ArrayList<Benchmark>();
    for (Benchmark one : chosen) {
      if (one instanceof Comparison.Possible possible) {
        comparisons.add(new AgainstFormer(possible, former));
      }
    }
    return comparisons;
  }

  /// The packaged daemon of a checkout.
  private static Path dist(Path checkout) {
    return checkout.resolve("memory-daemon").resolve("target").resolve("agent-memory");
  }

  private static boolean isFolder(String arg) {
    return ALL.stream().noneMatch(benchmark -> benchmark.name().equals(arg))
        && Files.isDirectory(Path.of(arg));
  }

  private static List<Benchmark> chosen(List<String> names) {
    return names.stream()
        .flatMap(name -> ALL.stream().filter(benchmark -> benchmark.name().equals(name)))
        .toList();
  }

  private int usage(String problem) {
    err.println(problem);
    err.println("usage: memory-bench/run [--data DIR] [--against DIR] NAME... [DIR] | all | list");
    ALL.forEach(benchmark -> err.printf("  %-16s %s%n", benchmark.name(), benchmark.shows()));
    return 2;
  }

  private Path own() {
    return root.resolve("memory-bench");
  }

  /// Ends all processes and deletes all temporary data.
  private static void interrupted(Runnable delete) {
    Children.endAll();
    delete.run();
  }

  private boolean holds(Benchmark benchmark, Path data, Stock stock) throws IOException {
    out.println("== " + benchmark.name() + ": " + benchmark.shows());
    Path results = Site.results(own());
    Files.createDirectories(results);
    // The result of an earlier run must not remain if this one fails.
    Files.deleteIfExists(results.resolve(benchmark.name() + ".json"));
    Site site = Site.below(own(), dist(root), data, stock, out);
    var hook = new Thread(() -> interrupted(site::discard));
    Runtime.getRuntime().addShutdownHook(hook);
    long start = System.nanoTime();
    try {
      Result result;
      try (site) {
        result = benchmark.run(site);
      }
      out.print(Report.table(result));
      Report.write(result, results);
      return result.holds();
    } catch (Exception e) {
      err.println(benchmark.name() + " failed: " + e);
      e.printStackTrace(err);
      return false;
    } finally {
      Runtime.getRuntime().removeShutdownHook(hook);
      out.printf(Locale.ROOT, "(%.0f s)%n%n", (System.nanoTime() - start) / 1e9);
    }
  }
}
