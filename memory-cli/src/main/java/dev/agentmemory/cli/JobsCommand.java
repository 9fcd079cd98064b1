package dev.agentmemory.cli;

import dev.agentmemory.cli.reply.JobsReply;
import dev.agentmemory.cli.terminal.Reply;
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
    return memory.answer(client -> new JobsReply(client.jobs().list(), memory.system().now()));
  }

  @Command(
      name = "pause",
      description = "Pauses a job until it is resumed. The pause survives restarts of the daemon.",
      mixinStandardHelpOptions = true)
  int pause(
      @Parameters(paramLabel = "NAME", description = "Name of the job, as listed by `memory jobs`.")
          String name) {
    return memory.answer(client -> {
      client.jobs().pause(name);
      return paused(name, true, " is paused");
    });
  }

  @Command(name = "resume", description = "Resumes a paused job.", mixinStandardHelpOptions = true)
  int resume(
      @Parameters(paramLabel = "NAME", description = "Name of the job, as listed by `memory jobs`.")
          String name) {
    return memory.answer(client -> {
      client.jobs().resume(name);
      return paused(name, false, " may run again");
    });
  }

  @Command(
      name = "run",
      description = "Runs a job now, even if it is paused, and waits until it has finished.",
      mixinStandardHelpOptions = true)
  int runNow(
      @Parameters(paramLabel = "NAME", description = "Name of the job, as listed by `memory jobs`.")
          String name) {
    return memory.answer(client -> ran(name, client.jobs().run(name)));
  }

  private static Reply paused(String job, boolean paused, String what) {
    return Reply.line(job + what, json -> json.text("job", job).flag("paused", paused));
  }

  private static Reply ran(String job, Map<String, String> metadata) {
    String what =
        new TreeMap<>(metadata)
            .entrySet().stream()
                .map(pair -> pair.getKey() + " " + pair.getValue())
                .collect(Collectors.joining(", "));
    return Reply.line(
        job + " ran" + (what.isEmpty() ? "" : ": " + what),
        json -> json.text("job", job).pairs("metadata", metadata));
  }
}
