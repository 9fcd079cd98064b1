package dev.agentmemory.daemon.cli;

import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.store.DaemonReport;
import dev.agentmemory.types.MemoryException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;

/// Says in a few lines how the daemon is doing.
@Command(
    name = "status",
    description = "Says whether the daemon runs and how far it has come.",
    mixinStandardHelpOptions = true)
final class StatusCommand implements Callable<Integer> {

  private final MemoryCommand memory;

  StatusCommand(MemoryCommand memory) {
    this.memory = memory;
  }

  @Override
  public Integer call() {
    Path data = memory.data();
    Optional<RunningDaemon> running = RunningDaemon.find(data);
    if (running.isEmpty()) {
      memory.say(new StatusReply.Down(data));
      return Exits.UNREACHABLE;
    }
    try (MemoryClient client = memory.connect()) {
      boolean serving = client.serving();
      List<String> troubles = Troubles.of(client);
      try {
        DaemonReport report = client.stats();
        memory.say(
            new StatusReply(
                data,
                running.get(),
                serving,
                report.withProblems(troubles),
                client.searchStatus(),
                client.jobs(),
                Instant.now()));
      } catch (MemoryException e) {
        if (!Troubles.isOfStore(e)) {
          throw e;
        }
        String own = String.valueOf(e.getMessage());
        List<String> problems =
            Stream.concat(Stream.of(own), troubles.stream()).distinct().toList();
        memory.say(new StatusReply.Broken(data, running.get(), serving, problems));
        return Exits.FAILED;
      }
    }
    return Exits.OK;
  }
}
