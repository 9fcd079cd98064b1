package dev.agentmemory.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// How long a person waits for `memory status`, against what the JVM alone takes.
final class CliBenchmark implements Benchmark {

  private static final int ROUNDS = 15;
  private static final int WARM_UP = 3;
  private static final double BAR = 6;
  private static final int TIMEOUT_SECONDS = 60;

  @Override
  public String name() {
    return "cli";
  }

  @Override
  public String shows() {
    return "wall time of `memory status`, against `java -version`";
  }

  @Override
  public Result run(Site site) throws Exception {
    var java = new ArrayList<Double>();
    var status = new ArrayList<Double>();
    try (BenchDaemon daemon = site.daemon("cli")) {
      daemon.awaitToc();
      for (int round = -WARM_UP; round < ROUNDS; round++) {
        double alone = millis(site, List.of(site.java(), "-version"));
        double whole =
            millis(site, List.of(site.launcher(), "status", "--data", site.path("cli").toString()));
        if (round >= 0) {
          java.add(alone);
          status.add(whole);
        }
      }
    }
    return result(new Measured(java), new Measured(status));
  }

  private static double millis(Site site, List<String> command)
      throws IOException, InterruptedException {
    var builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(site.path("cli.out").toFile());
    Clock clock = Clock.start();
    Process process = Children.start(builder);
    if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
      process.destroyForcibly();
      throw new IllegalStateException(command + " failed; see " + site.path("cli.out"));
    }
    return clock.micros() / 1000;
  }

  private Result result(Measured java, Measured status) {
    Measured ratio = status.over(java);
    return new Result(
        name(),
        List.of(Check.atMost(BAR, "memory status / java -version", ratio.median(), "ratio")),
        List.of(
            new Result.Row("java -version", "ms", java),
            new Result.Row("memory status", "ms", status),
            new Result.Row("ratio", "ratio", ratio)),
        List.of(
            "whole commands, launcher and all, of the same JDK, turn by turn, warm page cache"));
  }
}
