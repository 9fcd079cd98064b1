package dev.agentmemory.cli.reply;

import dev.agentmemory.api.JobList;
import dev.agentmemory.api.JobStatus;
import dev.agentmemory.cli.terminal.Format;
import dev.agentmemory.cli.terminal.JsonWriter;
import dev.agentmemory.cli.terminal.Reply;
import dev.agentmemory.cli.terminal.Terminal;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// The jobs, one per line.
public record JobsReply(JobList views, Instant now) implements Reply {

  /// A job with a later due time is in fact waiting for something else.
  private static final Duration FORESEEABLE = Duration.ofDays(1000);

  @Override
  public void print(Terminal screen) {
    if (!views.running()) {
      screen.line("the scheduler is not running; run `memory doctor`");
    }
    views.jobs().forEach(job -> screen.row(job.name(), line(job, now)));
  }

  @Override
  public void write(JsonWriter json) {
    json.flag("scheduler_running", views.running())
        .list("jobs", views.jobs(), job -> JsonForms.job(json, job));
  }

  /// A job in one line: its state, its last run, its next one.
  public static String line(JobStatus job, Instant now) {
    String last =
        job.lastRun()
            .map(at -> ", last " + ago(at, now) + " " + outcome(job))
            .orElse(job.running() ? "" : ", not run yet");
    String next =
        job.nextRun()
            .filter(at -> at.isAfter(now) && at.isBefore(now.plus(FORESEEABLE)))
            .map(at -> ", next in " + Format.time(Duration.between(now, at)))
            .orElse("");
    return state(job) + last + next + remedy(job) + findings(job) + problem(job);
  }

  private static String state(JobStatus job) {
    if (job.pausedItself()) {
      return "paused itself";
    }
    return job.paused() ? "paused" : job.running() ? "running" : job.schedule();
  }

  private static String remedy(JobStatus job) {
    return job.pausedItself() ? "; `memory jobs resume " + job.name() + "` resumes it" : "";
  }

  /// The findings of a check; empty when there are none or the job is not a check.
  private static String findings(JobStatus job) {
    String count = job.metadata().getOrDefault("findings", "0");
    return count.equals("0")
        ? ""
        : ", FOUND " + count + ": " + job.metadata().getOrDefault("finding_1", "");
  }

  /// A problem that a run found and that is not a failure of the run.
  private static String problem(JobStatus job) {
    return Optional.ofNullable(job.metadata().get(JobStatus.PROBLEM))
        .map(sentence -> ", PROBLEM: " + sentence)
        .orElse("");
  }

  private static String ago(Instant at, Instant now) {
    return Format.time(Duration.between(at, now)) + " ago";
  }

  private static String outcome(JobStatus job) {
    return switch (job.lastOutcome()) {
      case NONE -> "";
      case SUCCESS -> "ok" + job.lastError().map(why -> ", waiting: " + why).orElse("");
      case FAILED -> "failed: " + job.lastError().orElse("no reason given");
      case SKIPPED -> "skipped" + job.lastError().map(why -> ": " + why).orElse("");
    };
  }
}
