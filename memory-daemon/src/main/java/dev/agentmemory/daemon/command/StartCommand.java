package dev.agentmemory.daemon.command;

import dev.agentmemory.cli.MemoryCommand;
import dev.agentmemory.cli.StopCommand;
import dev.agentmemory.cli.agent.AgentReports;
import dev.agentmemory.cli.process.DaemonProcess;
import dev.agentmemory.cli.process.DaemonState;
import dev.agentmemory.cli.process.Polling;
import dev.agentmemory.cli.process.RunningDaemon;
import dev.agentmemory.cli.reply.Troubles;
import dev.agentmemory.cli.terminal.ExitCodes;
import dev.agentmemory.cli.terminal.Reply;
import dev.agentmemory.client.Endpoint;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.daemon.config.ConfigLoader;
import dev.agentmemory.daemon.config.DaemonConfig;
import dev.agentmemory.engine.data.OwnDirectory;
import dev.agentmemory.types.MemoryException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// Starts a daemon, in the background unless asked otherwise.
@Command(
    name = "start",
    description = "Starts the daemon and returns when it accepts calls.",
    mixinStandardHelpOptions = true,
    footer = {"", "The keys of --set are listed in docs/configuration.md."})
final class StartCommand implements Callable<Integer> {

  private final MemoryCommand memory;
  private final Foreground program;

  @Option(
      names = "--foreground",
      description = "Stay in this terminal and log to it; Ctrl-C stops the daemon.")
  private boolean foreground;

  @Mixin private SettingOptions options = new SettingOptions();

  StartCommand(MemoryCommand memory, Foreground program) {
    this.memory = memory;
    this.program = program;
  }

  @Override
  public Integer call() throws InterruptedException {
    // Read here as well, so that mistakes are told before anything is started.
    DaemonConfig config =
        ConfigLoader.load(
            memory.data(), options.sources(memory.environment()), memory.environment());
    if (!foreground) {
      return runDetached(config);
    }
    AgentReports.refresh(memory);
    program.serve(config, ConfigLoader.written(options.sources(memory.environment())));
    return ExitCodes.OK;
  }

  private int runDetached(DaemonConfig config) throws InterruptedException {
    Path data = config.data();
    Optional<RunningDaemon> running = awaitOther(data);
    if (running.isPresent()) {
      return alreadyRuns(running.get(), data);
    }
    // Before the log is written into a directory that is not ours.
    OwnDirectory.claim(data, config.engine().db(), memory.system().now());
    memory.screen().progress("starting ...");
    DaemonProcess started = DaemonProcess.spawn(data, true, options.flags(), memory.environment());
    try {
      Endpoint endpoint = started.awaitServing();
      memory.screen().progress("");
      memory.say(up(true, started.pid(), endpoint.port(), httpPort(data), data));
      tellTroubles();
      return ExitCodes.OK;
    } catch (RuntimeException | InterruptedException e) {
      boolean died = !started.alive();
      started.stop(StopCommand.DEADLINE);
      // Another one may have been started at the same time, and have been first.
      Optional<RunningDaemon> first = died ? awaitOther(data) : Optional.empty();
      if (first.isPresent()) {
        memory.screen().progress("");
        return alreadyRuns(first.get(), data);
      }
      throw e;
    }
  }

  /// The daemon runs all the same: others may be served.
  private void tellTroubles() {
    try (MemoryClient client = memory.connect()) {
      List<String> troubles = Troubles.of(client);
      troubles.forEach(memory.screen()::error);
      if (troubles.isEmpty() && !client.serving()) {
        var _ = client.admin().status();
      }
    } catch (MemoryException e) {
      memory.screen().error(String.valueOf(e.getMessage()));
    }
  }

  private int alreadyRuns(RunningDaemon daemon, Path data) {
    memory.say(up(false, daemon.pid(), daemon.port(), daemon.httpPort(), data));
    daemon.otherVersion().ifPresent(memory.screen()::error);
    return ExitCodes.OK;
  }

  /// Waits until it is plain whether a daemon runs: one that has the directory and answers does,
  /// and when none has it none does. One that was killed has it until the system has cleared it
  /// away, one that is starting does not answer yet.
  ///
  /// @return the one that runs
  /// @throws MemoryException `UNREACHABLE` when one has the directory and does not answer
  private Optional<RunningDaemon> awaitOther(Path data) throws InterruptedException {
    Duration alive = memory.deadlines().alive();
    Instant begun = memory.system().now();
    var last = new AtomicReference<DaemonState>(new DaemonState.Absent(data));
    var plain = new AtomicBoolean();
    Polling.until(
        DaemonProcess.START.plus(alive),
        () -> {
          DaemonState state = DaemonState.of(data);
          last.set(state);
          plain.set(isPlain(state, alive));
          return plain.get() || memory.system().now().isAfter(giveUp(state, begun.plus(alive)));
        });
    return switch (last.get()) {
      case DaemonState.Absent _ -> Optional.empty();
      case RunningDaemon daemon when plain.get() -> Optional.of(daemon);
      case DaemonState state -> throw state.unreachable();
    };
  }

  private static boolean isPlain(DaemonState state, Duration alive) {
    return switch (state) {
      case DaemonState.Absent _ -> true;
      case DaemonState.Unannounced _ -> false;
      case RunningDaemon daemon -> daemon.answers(alive);
    };
  }

  /// One that has the directory for a short time may be starting.
  private static Instant giveUp(DaemonState state, Instant soon) {
    return switch (state) {
      case DaemonState.Absent _ -> soon;
      case RunningDaemon _ -> soon;
      case DaemonState.Unannounced holder -> {
        Instant late = holder.since().plus(DaemonProcess.START);
        yield holder.suspended() || late.isBefore(soon) ? soon : late;
      }
    };
  }

  private static int httpPort(Path data) {
    return RunningDaemon.find(data).map(RunningDaemon::httpPort).orElse(0);
  }

  /// @param started whether it was not running before
  private static Reply up(boolean started, long pid, int port, int httpPort, Path data) {
    return Reply.line(
        "agent-memory %s: pid %d, port %d, http port %d, data %s"
            .formatted(started ? "started" : "already running", pid, port, httpPort, data),
        json ->
            json.flag("started", started)
                .number("pid", pid)
                .number("port", port)
                .number("http_port", httpPort)
                .text("data", data.toString()));
  }
}
