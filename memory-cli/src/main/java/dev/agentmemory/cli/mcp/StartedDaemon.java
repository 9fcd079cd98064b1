package dev.agentmemory.cli.mcp;

import dev.agentmemory.cli.process.DaemonProcess;
import dev.agentmemory.cli.process.DaemonState;
import dev.agentmemory.cli.process.Polling;
import dev.agentmemory.cli.process.RunningDaemon;
import dev.agentmemory.client.DaemonFile;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The daemon of a data directory, which is started when it is down.
public final class StartedDaemon implements McpBridge.DaemonSocket {

  /// How long a daemon may take that another process starts or stops.
  private static final Duration OTHERS = Duration.ofSeconds(30);

  /// How long a daemon may take from the end of its server to the end of its lock.
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final Path data;
  private final Map<String, String> environment;

  /// @param environment of a daemon that is started
  public StartedDaemon(Path data, Map<String, String> environment) {
    this.data = data;
    this.environment = Map.copyOf(environment);
  }

  @Override
  public McpBridge.Address find() throws InterruptedException {
    Optional<McpBridge.Address> running = listening();
    if (running.isPresent()) {
      return running.get();
    }
    // Another process may be starting or stopping it.
    if (DaemonState.of(data) instanceof DaemonState.Unannounced) {
      Polling.until(OTHERS, () -> !(DaemonState.of(data) instanceof DaemonState.Unannounced));
    }
    if (DaemonState.of(data) instanceof DaemonState.Absent) {
      start();
    }
    return listening().orElseThrow(() -> new MemoryException(ErrorCode.UNREACHABLE, problem()));
  }

  @Override
  public void pause() throws InterruptedException {
    Polling.until(PAUSE, () -> !(DaemonState.of(data) instanceof RunningDaemon));
  }

  @Override
  public Optional<String> otherVersion() {
    return RunningDaemon.find(data).flatMap(RunningDaemon::otherVersion);
  }

  private String problem() {
    return switch (DaemonState.of(data)) {
      case DaemonState.Absent(var _) ->
          "no daemon runs and none could be started; `memory start` tells why";
      case DaemonState.Unannounced other -> other.sentence();
      case RunningDaemon _ ->
          "the daemon has no HTTP socket; restart it with `memory stop` and `memory start`";
    };
  }

  private void start() throws InterruptedException {
    DaemonProcess process = DaemonProcess.spawn(data, /* detached= */ true, List.of(), environment);
    // Of two that are started at once one ends; the other is as good.
    Polling.until(DaemonProcess.START, () -> listening().isPresent() || !process.alive());
    if (!process.alive()) {
      Polling.until(
          OTHERS,
          () -> listening().isPresent() || DaemonState.of(data) instanceof DaemonState.Absent);
    }
  }

  private Optional<McpBridge.Address> listening() {
    try {
      Optional<Path> socket = DaemonFile.read(data).unixSocket(data);
      // The file and the socket may be those of a daemon that was killed.
      return socket.isPresent() && DaemonState.of(data) instanceof RunningDaemon
          ? Optional.of(new McpBridge.Address(socket.get(), token()))
          : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private Optional<String> token() throws IOException {
    try {
      String token = Files.readString(data.resolve("token")).strip();
      return Optional.of(token).filter(text -> !text.isEmpty());
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }
}
