package dev.agentmemory.bench.console;

import dev.agentmemory.bench.console.flow.AxePart;
import dev.agentmemory.bench.console.flow.FlowsPart;
import dev.agentmemory.bench.console.hostile.HostilePart;
import dev.agentmemory.bench.console.page.ConsoleFigures;
import dev.agentmemory.bench.console.page.ConsolePart;
import dev.agentmemory.bench.result.Result;
import dev.agentmemory.bench.run.Benchmark;
import dev.agentmemory.bench.run.Site;
import java.util.Arrays;
import java.util.List;

/// The console in a real browser: what it loads, how soon it is usable, and what it does with much
/// and with hostile content.
public final class ConsoleBenchmark implements Benchmark {

  private static final String NAME = "console";

  private static final List<ConsolePart> PARTS =
      List.of(
          new FlowsPart(),
          new AxePart(),
          new LighthousePart(),
          new WeightPart(),
          new PaintPart(),
          new ActPart(),
          new LivePart(),
          new LongPart(),
          new HostilePart(),
          new BuildPart());

  /// The names of parts, separated by commas; all without it.
  private static final String ONLY = "console.only";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String shows() {
    return "the console in a browser: weight, time until it is usable, long lists, hostile content";
  }

  @Override
  public Result run(Site site) throws Exception {
    List<String> only =
        Arrays.stream(System.getProperty(ONLY, "").split(",", -1))
            .filter(name -> !name.isBlank())
            .toList();
    var figures = new ConsoleFigures();
    for (ConsolePart part : PARTS) {
      if (only.isEmpty() || only.contains(part.name())) {
        site.progress(part.name());
        part.measure(site, figures);
      }
    }
    return figures.result(NAME);
  }
}
