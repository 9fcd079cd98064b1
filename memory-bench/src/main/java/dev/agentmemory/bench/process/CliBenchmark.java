package dev.agentmemory.bench.process;

import dev.agentmemory.bench.compare.Comparison;
import dev.agentmemory.bench.daemon.BenchDaemon;
import dev.agentmemory.bench.result.Check;
import dev.agentmemory.bench.result.Clock;
import dev.agentmemory.bench.result.Measured;
import dev.agentmemory.bench.result.Result;
import dev.agentmemory.bench.run.Site;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// How long a person waits for `memory status`, against what the JVM alone takes, and a hook for
/// `memory ingest -` of one event, against `memory status`.
public final class CliBenchmark implements Comparison.Possible {

  /// The data directory of the daemon that the commands call.
  static final String DATA = "cli";

  private static final int ROUNDS = 15;
  private static final int WARM_UP = 3;
  private static final double STATUS_BAR = 6;
  private static final double INGEST_BAR = 1.3;
  private static final int TIMEOUT_SECONDS = 60;
  private static final long FIRST_MILLIS = 1_769_783_400_000L;

  @Override
  public String name() {
    return "cli";
  }

  @Override
  public String shows() {
    return "wall time of `memory status` and `memory ingest -`, compared with `java -version`";
  }

  @Override
  public Comparison comparison() {
    return new CliComparison();
  }

  @Override
  public Result run(Site site) throws Exception {
    var java = new ArrayList<Double>();
    var status = new ArrayList<Double>();
    var ingest = new ArrayList<Double>();
    try (BenchDaemon daemon = site.daemon(DATA)) {
      daemon.awaitToc();
      for (int round = -WARM_UP; round < ROUNDS; round++) {
        double alone = millis(site, List.of(site.java(), "-version"), Redirect.PIPE);
        double whole = statusMillis(site);
        double stored = ingestMillis(site, round);
        if (round >= 0) {
          java.add(alone);
          status.add(whole);
          ingest.add(stored);
        }
      }
    }
    return result(new Measured(java), new Measured(status), new Measured(ingest));
  }

  /// Time waited for `memory status`.
  static double statusMillis(Site site) throws IOException, InterruptedException {
    return millis(site, command(site, "status"), Redirect.PIPE);
  }

  /// Time waited for `memory ingest -` of an event with a number of its own.
  static double ingestMillis(Site site, int number) throws IOException, InterruptedException {
    Redirect input = Redirect.from(line(site, number).toFile());
    return millis(site, command(site, "ingest", "-"), input);
  }

  private static List<String> command(Site site, String... words) {
    List<String> command = new ArrayList<>(List.of(site.launcher()));
    command.addAll(List.of(words));
    command.addAll(List.of("--data", site.path(DATA).toString()));
    return command;
  }

  /// The input of a hook: one event, a new one in each round.
  private static Path line(Site site, int round) throws IOException {
    return Files.writeString(
        site.path("cli.jsonl"),
        "{\"session_id\":\"hook\",\"timestamp_ms\":%d,\"text\":\"Why does the login time out?\"}%n"
            .formatted(FIRST_MILLIS + round));
  }

  private static double millis(Site site, List<String> command, Redirect input)
      throws IOException, InterruptedException {
    var builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectInput(input)
            .redirectOutput(site.path("cli.out").toFile());
    Clock clock = Clock.start();
    Process process = builder.start();
    if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
      process.destroyForcibly();
      throw new IllegalStateException(command + " failed; see " + site.path("cli.out"));
    }
    return clock.micros() / 1000;
  }

  private Result result(Measured java, Measured status, Measured ingest) {
    Measured whole = status.over(java);
    Measured stored = ingest.over(status);
    return new Result(
        name(),
        List.of(
            Check.atMost(STATUS_BAR, "memory status / java -version", whole.median(), "ratio"),
            Check.atMost(INGEST_BAR, "memory ingest - / memory status", stored.median(), "ratio")),
        List.of(
            new Result.Row("java -version", "ms", java),
            new Result.Row("memory status", "ms", status),
            new Result.Row("memory ingest -", "ms", ingest),
            new Result.Row("status / java", "ratio", whole),
            new Result.Row("ingest / status", "ratio", stored)),
        List.of(
            "complete commands including the launcher, same JDK, alternating, warm page cache",
            "the input of ingest is one new event from a file"));
  }
}
