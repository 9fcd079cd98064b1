package dev.agentmemory.cli;

import dev.agentmemory.api.DaemonReport;
import dev.agentmemory.cli.agent.AgentReports;
import dev.agentmemory.cli.process.DaemonState;
import dev.agentmemory.cli.process.RunningDaemon;
import dev.agentmemory.cli.reply.StatusReply;
import dev.agentmemory.cli.reply.Troubles;
import dev.agentmemory.cli.terminal.ExitCodes;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;

/// Reports the state of the daemon in a few lines.
@Command(
    name = "status",
    description = "Shows whether the daemon is running, its pending work and its jobs.",
    mixinStandardHelpOptions = true)
final class StatusCommand implements Callable<Integer> {

  private final MemoryCommand memory;

  StatusCommand(MemoryCommand memory) {
    this.memory = memory;
  }

  @Override
  public Integer call() {
    Path data = memory.data();
    if (!(DaemonState.of(data) instanceof RunningDaemon daemon)) {
      return down(data);
    }
    try (MemoryClient client = memory.connect()) {
      return printStatus(client, daemon, data);
    } catch (MemoryException e) {
      if (e.code() != ErrorCode.UNREACHABLE) {
        throw e;
      }
      return down(data);
    }
  }

  private int printStatus(MemoryClient client, RunningDaemon daemon, Path data) {
    boolean serving = client.healthy();
    List<String> troubles =
        Stream.concat(Troubles.of(client).stream(), AgentReports.problems(memory).stream())
            .toList();
    try {
      DaemonReport report = client.admin().status();
      memory.say(
          new StatusReply(
              data,
              daemon,
              serving,
              report.withProblems(all(report.problems(), troubles)),
              client.search().status(),
              client.jobs().list(),
              AgentReports.capture(memory),
              memory.system().now()));
      return ExitCodes.OK;
    } catch (MemoryException e) {
      if (!Troubles.isOfStore(e)) {
        throw e;
      }
      memory.say(new StatusReply.Broken(data, daemon, serving, Troubles.with(e, troubles)));
      return ExitCodes.FAILED;
    }
  }

  private static List<String> all(List<String> own, List<String> troubles) {
    return Stream.concat(Troubles.besides(troubles, own).stream(), troubles.stream()).toList();
  }

  /// The daemon may have ended only now, so its state is read again.
  private int down(Path data) {
    memory.say(new StatusReply.Down(data, DaemonState.of(data)));
    return ExitCodes.UNREACHABLE;
  }
}
