package dev.agentmemory.bench.agents;

import dev.agentmemory.bench.agents.ScriptedSession.DaemonState;
import dev.agentmemory.bench.agents.ScriptedSession.Step;
import dev.agentmemory.bench.agents.model.ModelScript;
import dev.agentmemory.bench.agents.model.ModelStandIn;
import dev.agentmemory.bench.agents.program.AgentRun;
import dev.agentmemory.bench.agents.program.InstalledAgent;
import dev.agentmemory.bench.result.Check;
import dev.agentmemory.bench.result.Result;
import dev.agentmemory.bench.run.Benchmark;
import dev.agentmemory.bench.run.Site;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToIntFunction;

/// What is stored of the scripted sessions of real agents.
public final class AgentsBenchmark implements Benchmark {

  private static final int LEAST_AGENTS = 3;

  /// Longer than the daemon looks at a transcript again.
  private static final Duration SETTLING = Duration.ofSeconds(45);

  private static final Duration QUIET = Duration.ofSeconds(3);

  @Override
  public String name() {
    return "agents";
  }

  @Override
  public String shows() {
    return "real agents, offline, 20 scripted sessions each: turns lost, doubled; recalled text stored";
  }

  @Override
  public Result run(Site site) throws Exception {
    Map<InstalledAgent, AgentTally> tallies = new LinkedHashMap<>();
    List<String> notes = new ArrayList<>();
    for (InstalledAgent agent : FoundAgents.of(site)) {
      tallies.put(agent, measured(site, agent, notes));
    }
    return result(tallies, notes);
  }

  private static AgentTally measured(Site site, InstalledAgent agent, List<String> notes)
      throws IOException, InterruptedException {
    String id = agent.program().id();
    Path home = Files.createDirectories(site.path(id));
    var script = new ModelScript();
    List<String> left = new ArrayList<>();
    List<ScriptedSession> sessions = SessionScripts.of(agent.program(), script, left);
    notes.add(id + " " + agent.version() + "; not without a person: " + left);
    var tally = new AgentTally();
    try (var model = ModelStandIn.start(script);
        var daemon = new UserDaemon(Path.of(site.launcher()), home, home.resolve("memory"))) {
      HookAnswers answers = HookAnswers.below(home.resolve("tools"), home.resolve("answers"));
      var connected = ConnectedAgent.create(agent, home, home.resolve("tools"), model);
      daemon.start();
      var _ = daemon.command("install", id);
      for (ScriptedSession session : sessions) {
        long start = System.nanoTime();
        tally.session();
        run(session, connected, daemon, script, answers, tally);
        tally.answers(
            session.name(),
            answers.take().stream().map(agent.program()::given).toList(),
            model.takeTexts());
        site.progress(
            id + " " + session.name() + ", " + (System.nanoTime() - start) / 1_000_000 + " ms");
      }
      daemon.start();
      settle(daemon, tally);
      tally.stored(daemon.events(), SessionScripts.SECRET);
    }
    tally.findings().forEach(finding -> site.progress(id + ": " + finding));
    return tally;
  }

  private static void run(
      ScriptedSession session,
      ConnectedAgent agent,
      UserDaemon daemon,
      ModelScript script,
      HookAnswers answers,
      AgentTally tally)
      throws IOException, InterruptedException {
    Path link = daemon.data().resolve("agents").resolve("memory");
    Path aside = link.resolveSibling("memory.aside");
    switch (session.daemon()) {
      case RUNNING -> daemon.start();
      case STOPPED -> daemon.stop();
      case DOWN -> {
        daemon.stop();
        Files.move(link, aside);
      }
      case KILLED -> {
        daemon.start();
        script.before(session.steps().getLast().name(), daemon::kill);
      }
    }
    for (Step step : session.steps()) {
      AgentRun run = agent.run(step.arguments());
      if (run.code() != 0) {
        tally.failedRun(session.name(), run.screen());
      }
      if (session.daemon() == DaemonState.DOWN) {
        tally.screen(session.name(), run.screen());
      }
      tally.expect(step.expected());
      if (step.name().isEmpty()) {
        // A command of the agent: its program ends without another question to the model.
        var _ = answers.take();
      }
    }
    if (Files.exists(aside, LinkOption.NOFOLLOW_LINKS)) {
      Files.move(aside, link);
    }
  }

  /// Waits until everything is stored, and for what might be stored again.
  private static void settle(UserDaemon daemon, AgentTally tally) {
    long end = System.nanoTime() + SETTLING.toNanos();
    while (System.nanoTime() < end && !tally.isComplete(daemon.events())) {
      LockSupport.parkNanos(Duration.ofMillis(500).toNanos());
    }
    LockSupport.parkNanos(QUIET.toNanos());
  }

  private Result result(Map<InstalledAgent, AgentTally> tallies, List<String> notes) {
    List<Result.Row> rows = new ArrayList<>();
    tallies.forEach((agent, tally) -> {
      String id = agent.program().id() + " " + agent.version();
      rows.add(Result.Row.of(id + ", sessions", "sessions", tally.sessions()));
      rows.add(Result.Row.of(id + ", turns", "turns", tally.turns()));
      rows.add(Result.Row.of(id + ", lost", "turns", tally.lost()));
      rows.add(Result.Row.of(id + ", doubled", "turns", tally.doubled()));
      rows.add(Result.Row.of(id + ", answers of hooks", "answers", tally.answers()));
      tally.findings().forEach(finding -> notes.add(id + ": " + finding));
    });
    int turns = sum(tallies, AgentTally::turns);
    double once = turns == 0 ? 0 : (double) sum(tallies, AgentTally::storedOnce) / turns;
    return new Result(
        name(),
        List.of(
            Check.atLeast(1, "turns stored", once, "ratio"),
            Check.atMost(0, "turns lost", sum(tallies, AgentTally::lost), "turns"),
            Check.atMost(0, "turns stored twice", sum(tallies, AgentTally::doubled), "turns"),
            Check.atMost(
                0, "recalled text stored as said", sum(tallies, AgentTally::recalled), "events"),
            Check.atMost(
                0,
                "our words on a screen without a daemon",
                sum(tallies, AgentTally::shown),
                "lines"),
            Check.atMost(
                0,
                "answers that the model was not given",
                sum(tallies, AgentTally::notGiven),
                "answers"),
            Check.atMost(0, "runs that failed", sum(tallies, AgentTally::failedRuns), "runs"),
            Check.atLeast(LEAST_AGENTS, "agents", tallies.size(), "agents")),
        rows,
        notes);
  }

  private static int sum(Map<InstalledAgent, AgentTally> tallies, ToIntFunction<AgentTally> of) {
    return tallies.values().stream().mapToInt(of).sum();
  }
}
