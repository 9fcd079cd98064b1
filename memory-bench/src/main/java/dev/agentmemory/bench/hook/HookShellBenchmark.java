package dev.agentmemory.bench.hook;

import dev.agentmemory.bench.daemon.BenchDaemon;
import dev.agentmemory.bench.result.Check;
import dev.agentmemory.bench.result.Measured;
import dev.agentmemory.bench.result.Result;
import dev.agentmemory.bench.run.Benchmark;
import dev.agentmemory.bench.run.Site;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// What `memory-hook` costs an agent.
public final class HookShellBenchmark implements Benchmark {

  private static final int ROUNDS = 7;
  private static final int CALLS = 60;
  private static final double MOST_OF_SHELL = 5;
  private static final double MOST_OF_CURL = 1.5;

  @Override
  public String name() {
    return "hook-shell";
  }

  @Override
  public String shows() {
    return "wall time of memory-hook over sh -c :, and with an answer over curl to the same socket";
  }

  @Override
  public Result run(Site site) throws Exception {
    try (BenchDaemon daemon = site.daemon("hooks", Site.WITHOUT_EMBEDDINGS)) {
      Path data = site.path("hooks");
      if (!Files.exists(data.resolve("http.sock"))) {
        throw new IllegalStateException("daemon " + daemon.pid() + " has no socket in " + data);
      }
      var hook = new HookProcess(Path.of(site.launcher()), data);
      Path payload = site.path("payload");
      String text = "how do we retry requests ".repeat(80);
      Files.writeString(
          payload, HookPost.prompt("hook-shell", "p1", text, site.path("project")).payload());
      return result(measured(site, hook, sides(site, hook, data, payload), payload));
    }
  }

  private static Map<String, List<String>> sides(
      Site site, HookProcess hook, Path data, Path payload) throws IOException {
    Path config = site.path("curl.config");
    Files.writeString(
        config,
        "header = \"authorization: Bearer %s\"\nheader = \"content-type: application/json\"\n"
            .formatted(Files.readString(data.resolve("token")).strip()));
    var sides = new LinkedHashMap<String, List<String>>();
    sides.put("sh", List.of("sh", "-c", ":"));
    sides.put("capture", hook.command(HookPost.STOP));
    sides.put(
        "curl",
        List.of(
            "curl",
            "-s",
            "-f",
            "-K",
            config.toString(),
            "--unix-socket",
            data.resolve("http.sock").toString(),
            "--data-binary",
            "@" + payload,
            "http://localhost/hooks/claude-code/" + HookPost.PROMPT));
    sides.put("answer", hook.command(HookPost.PROMPT));
    return sides;
  }

  /// The median of each side in milliseconds, a value for each round. The first is a warm-up.
  private static Map<String, Measured> measured(
      Site site, HookProcess hook, Map<String, List<String>> sides, Path payload)
      throws IOException, InterruptedException {
    Map<String, List<Double>> medians = new LinkedHashMap<>();
    for (int round = -1; round < ROUNDS; round++) {
      Map<String, List<Double>> values = new LinkedHashMap<>();
      for (int i = 0; i < CALLS; i++) {
        for (Map.Entry<String, List<String>> side : sides.entrySet()) {
          values
              .computeIfAbsent(side.getKey(), _ -> new ArrayList<>())
              .add(hook.timed(side.getValue(), payload));
        }
      }
      if (round >= 0) {
        values.forEach((side, of) ->
            medians.computeIfAbsent(side, _ -> new ArrayList<>()).add(new Measured(of).median()));
      }
      site.progress("round " + (round + 1) + " of " + ROUNDS);
    }
    var measured = new LinkedHashMap<String, Measured>();
    medians.forEach((side, of) -> measured.put(side, new Measured(of)));
    return measured;
  }

  private Result result(Map<String, Measured> measured) {
    Measured capture = side(measured, "capture").over(side(measured, "sh"));
    Measured answer = side(measured, "answer").over(side(measured, "curl"));
    List<Result.Row> rows =
        measured.entrySet().stream()
            .map(side -> new Result.Row(side.getKey(), "ms", side.getValue()))
            .toList();
    return new Result(
        name(),
        List.of(
            Check.atMost(MOST_OF_SHELL, "capture over sh", capture.median(), "ratio"),
            Check.atMost(MOST_OF_CURL, "answer over curl", answer.median(), "ratio")),
        rows,
        List.of("medians of processes that are started in turns, with a payload of 2 KB"));
  }

  private static Measured side(Map<String, Measured> measured, String name) {
    return Objects.requireNonNull(measured.get(name), name);
  }
}
