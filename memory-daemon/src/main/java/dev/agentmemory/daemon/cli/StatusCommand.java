package dev.agentmemory.daemon.cli;

import dev.agentmemory.client.MemoryClient;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Callable;
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
      memory.say(
          new StatusReply(
              data,
              running.get(),
              client.serving(),
              client.stats(),
              client.searchStatus(),
              client.jobs(),
              Instant.now()));
    }
    return Exits.OK;
  }
}
