package dev.agentmemory.daemon.cli;

import dev.agentmemory.client.JobView;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.daemon.cli.Screen.Ink;
import dev.agentmemory.store.DaemonReport;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/// Says in a few lines how the daemon is doing.
@Command(
    name = "status",
    description = "Says whether the daemon runs and how far it has come.",
    mixinStandardHelpOptions = true)
final class StatusCommand implements Callable<Integer> {

  /// A job that is due later than this waits for something else in truth.
  private static final Duration FORESEEABLE = Duration.ofDays(1000);

  private final MemoryCommand memory;

  StatusCommand(MemoryCommand memory) {
    this.memory = memory;
  }

  @Override
  public Integer call() {
    Optional<RunningDaemon> running = RunningDaemon.find(memory.data());
    if (running.isEmpty()) {
      memory.screen().line(row("daemon", "not running; data " + memory.data()));
      return Exits.UNREACHABLE;
    }
    try (MemoryClient client = memory.connect()) {
      show(running.get(), client);
    }
    return Exits.OK;
  }

  private void show(RunningDaemon daemon, MemoryClient client) {
    Screen screen = memory.screen();
    DaemonReport report = client.stats();
    Instant now = Instant.now();
    String state =
        client.serving() ? screen.ink(Ink.GOOD, "serving") : screen.ink(Ink.BAD, "not serving");
    screen.line(
        row(
            "daemon",
            "%s, pid %d, %s:%d, version %s, up %s"
                .formatted(
                    state,
                    daemon.pid(),
                    daemon.host(),
                    daemon.port(),
                    report.version(),
                    Amounts.time(Duration.between(report.startedAt(), now)))));
    screen.line(row("data", memory.data() + ", " + Amounts.bytes(report.store().diskBytes())));
    screen.line(row("events", "%,d, days in %s".formatted(report.store().events(), zone(report))));
    screen.line(row("contents", Progress.of(report).sentence()));
    screen.line(row("parked", parked(report)));
    report.problems().forEach(problem -> screen.line(row("problem", screen.ink(Ink.BAD, problem))));
    client.jobs().jobs().forEach(job -> screen.line(row(job.name(), jobLine(job, now))));
  }

  private static String zone(DaemonReport report) {
    return report.zone().equals(ZoneOffset.UTC) ? "UTC" : report.zone().getId();
  }

  private static String parked(DaemonReport report) {
    long letters = report.store().deadLetters();
    return letters == 0
        ? "nothing"
        : Amounts.count(letters, "change") + " could not be applied; see `memory doctor`";
  }

  static String row(String name, String text) {
    return "%-18s %s".formatted(name, text);
  }

  /// A job in one line: what it does now, its last run, its next one.
  static String jobLine(JobView job, Instant now) {
    String state = job.paused() ? "paused" : job.running() ? "running" : job.schedule();
    String last =
        job.lastRun()
            .map(at -> ", last " + ago(at, now) + " " + outcome(job))
            .orElse(", not run yet");
    String next =
        job.nextRun()
            .filter(at -> at.isAfter(now) && at.isBefore(now.plus(FORESEEABLE)))
            .map(at -> ", next in " + Amounts.time(Duration.between(now, at)))
            .orElse("");
    return state + last + next + findings(job);
  }

  /// What a check has found; nothing when all is well or the job checks nothing.
  private static String findings(JobView job) {
    String count = job.metadata().getOrDefault("findings", "0");
    return count.equals("0")
        ? ""
        : ", FOUND " + count + ": " + job.metadata().getOrDefault("finding_1", "");
  }

  private static String ago(Instant at, Instant now) {
    return Amounts.time(Duration.between(at, now)) + " ago";
  }

  private static String outcome(JobView job) {
    return switch (job.lastOutcome()) {
      case NONE -> "";
      case SUCCESS -> "ok";
      case FAILED -> "failed: " + job.lastError().orElse("no reason given");
      case SKIPPED -> "skipped" + job.lastError().map(why -> ": " + why).orElse("");
    };
  }
}
