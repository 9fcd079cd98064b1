package dev.agentmemory.daemon.cli;

import dev.agentmemory.client.JobViews;
import dev.agentmemory.client.MemoryClient;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// Lists the jobs, and pauses, resumes and runs them.
@Command(
    name = "jobs",
    description = "Lists what runs in the background; pauses, resumes and runs it.",
    mixinStandardHelpOptions = true)
final class JobsCommand implements Callable<Integer> {

  private final MemoryCommand memory;

  JobsCommand(MemoryCommand memory) {
    this.memory = memory;
  }

  @Override
  public Integer call() {
    try (MemoryClient client = memory.connect()) {
      JobViews views = client.jobs();
      Instant now = Instant.now();
      if (!views.running()) {
        memory.screen().line("the scheduler does not run; see `memory doctor`");
      }
      views
          .jobs()
          .forEach(job ->
              memory.screen().line(StatusCommand.row(job.name(), StatusCommand.jobLine(job, now))));
    }
    return Exits.OK;
  }

  @Command(
      name = "pause",
      description = "Keeps a job from running until it is resumed, also over restarts.",
      mixinStandardHelpOptions = true)
  int pause(@Parameters(paramLabel = "NAME", description = "The job.") String name) {
    try (MemoryClient client = memory.connect()) {
      client.pause(name);
    }
    memory.screen().line(name + " is paused");
    return Exits.OK;
  }

  @Command(
      name = "resume",
      description = "Lets a paused job run again.",
      mixinStandardHelpOptions = true)
  int resume(@Parameters(paramLabel = "NAME", description = "The job.") String name) {
    try (MemoryClient client = memory.connect()) {
      client.resume(name);
    }
    memory.screen().line(name + " may run again");
    return Exits.OK;
  }

  @Command(
      name = "run",
      description = "Runs a job now and waits for it, also when it is paused.",
      mixinStandardHelpOptions = true)
  int runNow(@Parameters(paramLabel = "NAME", description = "The job.") String name) {
    Map<String, String> did;
    try (MemoryClient client = memory.connect()) {
      did = client.runJob(name);
    }
    memory.screen().line(name + " ran" + (did.isEmpty() ? "" : ": " + new TreeMap<>(did)));
    return Exits.OK;
  }
}
