package dev.agentmemory.cli;

import dev.agentmemory.cli.reply.JobsReply;
import dev.agentmemory.cli.terminal.Exits;
import dev.agentmemory.cli.terminal.JsonPen;
import dev.agentmemory.cli.terminal.Reply;
import dev.agentmemory.cli.terminal.Screen;
import dev.agentmemory.client.MemoryClient;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
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
      memory.say(new JobsReply(client.jobs().list(), Instant.now()));
    }
    return Exits.OK;
  }

  @Command(
      name = "pause",
      description = "Keeps a job from running until it is resumed, also over restarts.",
      mixinStandardHelpOptions = true)
  int pause(@Parameters(paramLabel = "NAME", description = "The job.") String name) {
    try (MemoryClient client = memory.connect()) {
      client.jobs().pause(name);
    }
    memory.say(new Paused(name, true));
    return Exits.OK;
  }

  @Command(
      name = "resume",
      description = "Lets a paused job run again.",
      mixinStandardHelpOptions = true)
  int resume(@Parameters(paramLabel = "NAME", description = "The job.") String name) {
    try (MemoryClient client = memory.connect()) {
      client.jobs().resume(name);
    }
    memory.say(new Paused(name, false));
    return Exits.OK;
  }

  @Command(
      name = "run",
      description = "Runs a job now and waits for it, also when it is paused.",
      mixinStandardHelpOptions = true)
  int runNow(@Parameters(paramLabel = "NAME", description = "The job.") String name) {
    Map<String, String> did;
    try (MemoryClient client = memory.connect()) {
      did = client.jobs().run(name);
    }
    memory.say(new Ran(name, did));
    return Exits.OK;
  }

  private record Paused(String job, boolean paused) implements Reply {

    @Override
    public void print(Screen screen) {
      screen.line(job + (paused ? " is paused" : " may run again"));
    }

    @Override
    public void write(JsonPen json) {
      json.text("job", job).flag("paused", paused);
    }
  }

  private record Ran(String job, Map<String, String> metadata) implements Reply {

    @Override
    public void print(Screen screen) {
      String what =
          new TreeMap<>(metadata)
              .entrySet().stream()
                  .map(pair -> pair.getKey() + " " + pair.getValue())
                  .collect(Collectors.joining(", "));
      screen.line(job + " ran" + (what.isEmpty() ? "" : ": " + what));
    }

    @Override
    public void write(JsonPen json) {
      json.text("job", job).pairs("metadata", metadata);
    }
  }
}
