package dev.agentmemory.daemon.cli;

import dev.agentmemory.client.Endpoint;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.daemon.config.ConfigLoader;
import dev.agentmemory.daemon.config.DaemonConfig;
import dev.agentmemory.daemon.data.OwnDirectory;
import dev.agentmemory.types.MemoryException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// Starts a daemon, in the background unless asked otherwise.
@Command(
    name = "start",
    description = "Starts the daemon and returns when it serves.",
    mixinStandardHelpOptions = true,
    footer = {"", "The keys of --set are listed in docs/configuration.md."})
final class StartCommand implements Callable<Integer> {

  private final MemoryCommand memory;

  @Option(
      names = "--foreground",
      description = "Stay in this terminal and log to it; Ctrl-C stops the daemon.")
  private boolean foreground;

  @Mixin private SettingOptions options = new SettingOptions();

  StartCommand(MemoryCommand memory) {
    this.memory = memory;
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
    memory.foreground().serve(config);
    return Exits.OK;
  }

  private int runDetached(DaemonConfig config) throws InterruptedException {
    Path data = config.data();
    Optional<RunningDaemon> running = RunningDaemon.find(data);
    if (running.isPresent()) {
      memory.say(new Up(false, running.get().pid(), running.get().port(), data));
      return Exits.OK;
    }
    // Before the log is written into a directory that is not ours.
    OwnDirectory.claim(data, config.db(), Instant.now());
    memory.screen().progress("starting ...");
    DaemonProcess started = DaemonProcess.spawn(data, true, options.flags(), memory.environment());
    try {
      Endpoint endpoint = started.awaitServing();
      memory.screen().progress("");
      memory.say(new Up(true, started.pid(), endpoint.port(), data));
      tellTroubles();
      return Exits.OK;
    } catch (RuntimeException | InterruptedException e) {
      started.stop(StopCommand.DEADLINE);
      throw e;
    }
  }

  /// The daemon runs all the same: others may be served.
  private void tellTroubles() {
    try (MemoryClient client = memory.connect()) {
      List<String> troubles = Troubles.of(client);
      troubles.forEach(memory.screen()::error);
      if (troubles.isEmpty() && !client.serving()) {
        var _ = client.stats();
      }
    } catch (MemoryException e) {
      memory.screen().error(String.valueOf(e.getMessage()));
    }
  }

  /// @param started whether it was not running before
  private record Up(boolean started, long pid, int port, Path data) implements Reply {

    @Override
    public void print(Screen screen) {
      screen.line(
          "agent-memory %s: pid %d, port %d, data %s"
              .formatted(started ? "started" : "already runs", pid, port, data));
    }

    @Override
    public void write(JsonPen json) {
      json.flag("started", started)
          .number("pid", pid)
          .number("port", port)
          .text("data", data.toString());
    }
  }
}
