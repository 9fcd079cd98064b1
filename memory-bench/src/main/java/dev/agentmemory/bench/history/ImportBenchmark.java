package dev.agentmemory.bench.history;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.agentmemory.bench.daemon.BenchDaemon;
import dev.agentmemory.bench.daemon.Commands;
import dev.agentmemory.bench.result.Check;
import dev.agentmemory.bench.result.Clock;
import dev.agentmemory.bench.result.Measured;
import dev.agentmemory.bench.result.Result;
import dev.agentmemory.bench.run.Benchmark;
import dev.agentmemory.bench.run.Site;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// How fast `memory import` takes in what agents recorded before the installation, and how fast it
/// passes over what need not be read.
public final class ImportBenchmark implements Benchmark {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int COPIES = 50;
  private static final int ROUNDS = 3;
  private static final double LEAST_EVENTS = 5000;
  private static final int REPEATING_COPIES = 20;
  private static final int REPEATING_ROUNDS = 5;
  private static final double LEAST_MB = 100;
  private static final double MB = 1e6;

  @Override
  public String name() {
    return "import";
  }

  @Override
  public String shows() {
    return "events and bytes per second of `memory import` from transcripts of agents";
  }

  /// One run of the command.
  private record Imported(double seconds, long events, long stored, long known, long refused) {}

  @Override
  public Result run(Site site) throws Exception {
    CopiedTranscripts transcripts =
        CopiedTranscripts.of(
            site.transcripts(), site.data().resolve("agents").resolve("transcripts"));
    Path one = site.path("one");
    transcripts.write(one, 0, 1);
    Imported single = all(site, one, "--dry-run");
    Path copies = site.path("copies");
    long bytes = transcripts.write(copies, 0, COPIES);
    site.progress("%d events a copy, %.0f MB".formatted(single.events(), bytes / MB));
    List<Imported> first = new ArrayList<>();
    List<Imported> second = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      String data = "import-" + round;
      try (BenchDaemon _ = site.daemon(data, Site.WITHOUT_EMBEDDINGS)) {
        String[] into = {"--data", site.path(data).toString()};
        first.add(all(site, copies, into));
        second.add(all(site, copies, into));
        site.progress("round " + (round + 1) + " of " + ROUNDS + ": " + first.getLast());
      }
    }
    List<Result.Row> rows = new ArrayList<>();
    rows.add(Result.Row.of("transcripts", "MB", bytes / MB));
    rows.add(
        Result.Row.of(
            "events of one copy, times " + COPIES, "events", single.events() * (double) COPIES));
    Measured rate = new Measured(first.stream().map(run -> run.stored() / run.seconds()).toList());
    rows.add(
        new Result.Row(
            "first run, stored", "events", values(first.stream().map(Imported::stored))));
    rows.add(
        new Result.Row(
            "first run, in the transcripts twice",
            "events",
            values(first.stream().map(Imported::known))));
    rows.add(new Result.Row("first run", "events/s", rate));
    rows.add(
        new Result.Row(
            "first run",
            "MB/s",
            new Measured(first.stream().map(run -> bytes / MB / run.seconds()).toList())));
    rows.add(
        new Result.Row(
            "second run", "s", new Measured(second.stream().map(Imported::seconds).toList())));
    List<Check> checks = new ArrayList<>();
    checks.add(Check.atLeast(LEAST_EVENTS, "first run", rate.median(), "events/s"));
    checks.add(
        Check.atMost(
            0,
            "events that a second run adds",
            (double) second.stream().mapToLong(Imported::stored).sum(),
            "events"));
    checks.add(
        Check.atMost(
            0,
            "events of the copies that are missing",
            (double)
                first.stream()
                    .mapToLong(run -> single.events() * COPIES - run.stored() - run.known())
                    .map(Math::abs)
                    .max()
                    .orElseThrow(),
            "events"));
    checks.add(repeating(site, transcripts, rows));
    return new Result(
        name(),
        checks,
        rows,
        List.of(
            "a whole command for the transcripts of "
                + transcripts.agents()
                + ", into a fresh daemon in each round, without embeddings; rates are of what was stored",
            ("repeating: time of `import claude-code --dry-run` on files with requests, less that on the"
                    + " same files without them, in turns; %d copies of each session log")
                .formatted(REPEATING_COPIES)));
  }

  private static Measured values(Stream<Long> counts) {
    return new Measured(counts.map(Long::doubleValue).toList());
  }

  /// Imports what all agents of a user have recorded.
  private static Imported all(Site site, Path home, String... options)
      throws IOException, InterruptedException {
    Map<String, String> environment =
        Map.of(
            "HOME",
            home.toString(),
            "CLAUDE_CONFIG_DIR",
            "",
            "CODEX_HOME",
            "",
            "GEMINI_CLI_HOME",
            "",
            "COPILOT_HOME",
            "");
    Imported sum = imported(site, environment, List.of(), options);
    if (sum.refused() > 0) {
      throw new IllegalStateException("the daemon refused events: " + sum);
    }
    return sum;
  }

  private static Imported ofClaude(Site site, Path folder, String... options)
      throws IOException, InterruptedException {
    return imported(site, Map.of(), List.of("claude-code", folder.toString()), options);
  }

  private static Imported imported(
      Site site, Map<String, String> environment, List<String> sources, String... options)
      throws IOException, InterruptedException {
    List<String> args = new ArrayList<>(List.of("import"));
    args.addAll(sources);
    args.add("--json");
    args.addAll(List.of(options));
    Clock clock = Clock.start();
    Commands.Ran ran = site.command(environment, args.toArray(String[]::new));
    double seconds = clock.seconds();
    if (ran.status() != 0) {
      throw new IllegalStateException(args + " failed: " + ran);
    }
    var sum = new Imported(seconds, 0, 0, 0, 0);
    try (MappingIterator<JsonNode> replies =
        JSON.readerFor(JsonNode.class).readValues(ran.printed())) {
      for (JsonNode reply : replies.readAll()) {
        sum =
            new Imported(
                seconds,
                sum.events() + reply.path("events").asLong(),
                sum.stored() + reply.path("stored").asLong(),
                sum.known() + reply.path("known").asLong(),
                sum.refused() + reply.path("refused").asLong());
      }
    }
    return sum;
  }

  private static Check repeating(Site site, CopiedTranscripts transcripts, List<Result.Row> rows)
      throws IOException, InterruptedException {
    Path plain = site.path("plain");
    Path repeating = site.path("repeating");
    RepeatingTranscripts.Written written =
        RepeatingTranscripts.write(
            transcripts.files("claude-code").stream()
                .filter(file -> file.toString().endsWith(".gz"))
                .toList(),
            REPEATING_COPIES,
            plain,
            repeating);
    List<Double> without = new ArrayList<>();
    List<Double> with = new ArrayList<>();
    List<Double> skipped = new ArrayList<>();
    for (int round = -1; round < REPEATING_ROUNDS; round++) {
      Imported one = ofClaude(site, plain, "--dry-run", "--again");
      Imported two = ofClaude(site, repeating, "--dry-run", "--again");
      if (one.events() != two.events()) {
        throw new IllegalStateException(one + " without requests, " + two + " with them");
      }
      if (round >= 0) {
        without.add(one.seconds());
        with.add(two.seconds());
        skipped.add(written.repeating() / MB / (two.seconds() - one.seconds()));
      }
    }
    rows.add(
        Result.Row.of(
            "repeating lines / all bytes",
            "ratio",
            (double) written.repeating() / written.bytes()));
    rows.add(Result.Row.of("files with repeating lines", "MB", written.bytes() / MB));
    rows.add(new Result.Row("read without them", "s", new Measured(without)));
    rows.add(new Result.Row("read with them", "s", new Measured(with)));
    rows.add(
        new Result.Row(
            "all lines",
            "MB/s",
            new Measured(with.stream().map(seconds -> written.bytes() / MB / seconds).toList())));
    rows.add(new Result.Row("repeating lines", "MB/s", new Measured(skipped)));
    return Check.atLeast(LEAST_MB, "repeating lines", new Measured(skipped).median(), "MB/s");
  }
}
