package dev.agentmemory.cli;

import dev.agentmemory.cli.reply.JobsReply;
import dev.agentmemory.cli.terminal.ExitCodes;
import dev.agentmemory.cli.terminal.JsonWriter;
import dev.agentmemory.cli.terminal.Reply;
import dev.agentmemory.cli.terminal.Terminal;
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
    description = "Lists, pauses, resumes and runs background jobs.",
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
    return ExitCodes.OK;
  }

  @Command(
      name = "pause",
      description = "Pauses a job until it is resumed. The pause survives restarts of the daemon.",
      mixinStandardHelpOptions = true)
  int pause(
      @Parameters(paramLabel = "NAME", description = "Name of the job, as listed by `memory jobs`.")
          String name) {
    try (MemoryClient client = memory.connect()) {
      client.jobs().pause(name);
    }
    memory.say(new Paused(name, true));
    return ExitCodes.OK;
  }

  @Command(name = "resume", description = "Resumes a paused job.", mixinStandardHelpOptions = true)
  int resume(
      @Parameters(paramLabel = "NAME", description = "Name of the job, as listed by `memory jobs`.")
          String name) {
    try (MemoryClient client = memory.connect()) {
      client.jobs().resume(name);
    }
    memory.say(new Paused(name, false));
    return ExitCodes.OK;
  }

  @Command(
      name = "run",
      description = "Runs a job now, even if it is paused, and waits until it has finished.",
      mixinStandardHelpOptions = true)
  int runNow(
      @Parameters(paramLabel = "NAME", description = "Name of the job, as listed by `memory jobs`.")
          String name) {
    Map<String, String> did;
    try (MemoryClient client = memory.connect()) {
      did = client.jobs().run(name);
    }
    memory.say(new Ran(name, did));
    return ExitCodes.OK;
  }

  private record Paused(String job, boolean paused) implements Reply {

    @Override
    public void print(Terminal screen) {
      screen.line(job + (paused ? " is paused" : " may run again"));
    }

    @Override
    public void write(JsonWriter json) {
      json.text("job", job).flag("paused", paused);
    }
  }

  private record Ran(String job, Map<String, String> metadata) implements Reply {

    @Override
    public void print(Terminal screen) {
      String what =
          new TreeMap<>(metadata)
              .entrySet().stream()
                  .map(pair -> pair.getKey() + " " + pair.getValue())
                  .collect(Collectors.joining(", "));
      screen.line(job + " ran" + (what.isEmpty() ? "" : ": " + what));
    }

    @Override
    public void write(JsonWriter json) {
      json.text("job", job).pairs("metadata", metadata);
    }
  }
}
