package dev.agentmemory.bench.agents;

import dev.agentmemory.bench.agents.model.ModelReply;
import dev.agentmemory.bench.agents.model.ModelScript;
import dev.agentmemory.bench.agents.model.ModelStandIn;
import dev.agentmemory.bench.agents.program.AgentRun;
import dev.agentmemory.bench.agents.program.InstalledAgent;
import dev.agentmemory.bench.result.Check;
import dev.agentmemory.bench.result.Measured;
import dev.agentmemory.bench.result.Result;
import dev.agentmemory.bench.run.Benchmark;
import dev.agentmemory.bench.run.Site;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// What our installation costs an agent: the wall time of a session with it over that without.
public final class AgentsCostBenchmark implements Benchmark {

  private static final double MOST = 1.10;
  private static final String SCRIPT = "play-cost";

  /// How long the model takes for an answer: no time, which shows each millisecond of ours, and one
  /// second, as part of the time that a person waits for.
  private static final List<Duration> THINKING = List.of(Duration.ZERO, Duration.ofSeconds(1));

  @Override
  public String name() {
    return "agents-cost";
  }

  @Override
  public String shows() {
    return "wall time of a scripted session of real agents with our hooks over without any";
  }

  @Override
  public Result run(Site site) throws Exception {
    List<InstalledAgent> agents = FoundAgents.of(site);
    if (agents.isEmpty()) {
      throw new IllegalStateException("no agent was found; name their folder with -Dagents=DIR");
    }
    List<Check> checks = new ArrayList<>();
    List<Result.Row> rows = new ArrayList<>();
    for (InstalledAgent agent : agents) {
      measure(site, agent, checks, rows);
    }
    return new Result(
        name(),
        checks,
        rows,
        List.of(
            "a session is one start of the program with a prompt, two rounds of a call of a tool and"
                + " an answer; the daemon runs; sides take turns"));
  }

  private static void measure(
      Site site, InstalledAgent agent, List<Check> checks, List<Result.Row> rows)
      throws IOException, InterruptedException {
    String id = agent.program().id();
    Path with = Files.createDirectories(site.path(id + "-with"));
    Path without = Files.createDirectories(site.path(id + "-without"));
    Path tools = Files.createDirectories(site.path(id + "-tools"));
    try (var model = ModelStandIn.start(script(agent));
        var daemon = new UserDaemon(Path.of(site.launcher()), with, with.resolve("memory"))) {
      var connected = ConnectedAgent.create(agent, with, tools, model);
      var bare = ConnectedAgent.create(agent, without, tools, model);
      daemon.start();
      var _ = daemon.command("install", id);
      for (Duration thinking : THINKING) {
        model.think(thinking);
        compare(
            site,
            agent,
            connected,
            bare,
            "model takes " + thinking.toSeconds() + " s",
            checks,
            rows);
      }
    }
  }

  private static void compare(
      Site site,
      InstalledAgent agent,
      ConnectedAgent connected,
      ConnectedAgent bare,
      String when,
      List<Check> checks,
      List<Result.Row> rows)
      throws IOException, InterruptedException {
    List<Double> ours = new ArrayList<>();
    List<Double> bares = new ArrayList<>();
    int rounds = Integer.getInteger("rounds", 7);
    for (int round = -1; round < rounds; round++) {
      double one;
      double other;
      if (round % 2 == 0) {
        one = seconds(connected, agent);
        other = seconds(bare, agent);
      } else {
        other = seconds(bare, agent);
        one = seconds(connected, agent);
      }
      if (round >= 0) {
        ours.add(one);
        bares.add(other);
      }
    }
    Measured ratio = new Measured(ours).over(new Measured(bares));
    String id = agent.program().id();
    String label = id + ", " + when;
    checks.add(
        Check.atMost(
            MOST,
            "%s %s, %s: with / without".formatted(id, agent.version(), when),
            ratio.median(),
            "ratio"));
    rows.add(new Result.Row(label + ": with", "s", new Measured(ours)));
    rows.add(new Result.Row(label + ": without", "s", new Measured(bares)));
    rows.add(new Result.Row(label + ": with / without", "ratio", ratio));
    site.progress(label + ": " + ratio.median());
  }

  private static ModelScript script(InstalledAgent agent) {
    var script = new ModelScript();
    script.add(
        SCRIPT,
        List.of(
            new ModelReply("First.", List.of(agent.program().shell("echo one"))),
            new ModelReply("Second.", List.of(agent.program().shell("echo two"))),
            ModelReply.text("Done.")));
    return script;
  }

  private static double seconds(ConnectedAgent agent, InstalledAgent of)
      throws IOException, InterruptedException {
    AgentRun run =
        agent.run(of.program().start("Please work on " + SCRIPT + " and tell me about it"));
    if (run.code() != 0) {
      throw new IllegalStateException(of.program().id() + " failed: " + run.screen());
    }
    return run.time().toNanos() / 1e9;
  }
}
