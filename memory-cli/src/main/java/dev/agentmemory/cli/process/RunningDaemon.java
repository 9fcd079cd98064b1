package dev.agentmemory.cli.process;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.agentmemory.api.Version;
import dev.agentmemory.client.DaemonFile;
import dev.agentmemory.client.DaemonLock;
import dev.agentmemory.client.Deadlines;
import dev.agentmemory.client.Endpoint;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.CharacterCodingException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// A daemon that holds the lock of its data directory and has written its address to `daemon.json`.
/// It may still not answer.
///
/// @param pid its process id, as the daemon sees it; in a container it may differ
/// @param host its address
/// @param httpPort port of its HTTP server; 0 if it has none
/// @param version its version
/// @param socket the Unix socket of its HTTP server, if it can be reached
public record RunningDaemon(
    long pid, String host, int port, int httpPort, String version, Optional<Path> socket)
    implements DaemonState {

  /// The clock may be adjusted slightly between the start of a process and the writing of its file.
  private static final Duration TOLERANCE = Duration.ofSeconds(2);

  private static final String MAIN = "dev.agentmemory.daemon.Main";
  private static final int MOST_PORT = 65_535;

  /// @return empty when no daemon holds the lock, or when it has not written its address
  public static Optional<RunningDaemon> find(Path data) {
    return DaemonState.of(data) instanceof RunningDaemon daemon
        ? Optional.of(daemon)
        : Optional.empty();
  }

  /// The daemon that holds the lock, if it wrote `daemon.json`.
  static Optional<RunningDaemon> announced(Path data, DaemonLock lock) throws IOException {
    return read(data).filter(daemon -> daemon.pid == lock.pid());
  }

  /// The daemon of `daemon.json`, if its process exists and is a daemon's.
  static Optional<DaemonState> byItsProcess(Path data) throws IOException {
    return read(data)
        .<DaemonState>map(daemon -> daemon)
        .filter(daemon -> daemon.process(data).isPresent());
  }

  private static Optional<RunningDaemon> read(Path data) throws IOException {
    try {
      DaemonFile file = DaemonFile.read(data);
      boolean complete = !file.host().isEmpty() && file.port() >= 1 && file.port() <= MOST_PORT;
      return complete
          ? Optional.of(
              new RunningDaemon(
                  file.pid(),
                  file.host(),
                  file.port(),
                  file.httpPort(),
                  file.version(),
                  file.unixSocket(data)))
          : Optional.empty();
    } catch (NoSuchFileException | JsonProcessingException | CharacterCodingException e) {
      return Optional.empty();
    }
  }

  /// For commands that open the stores themselves.
  ///
  /// @throws MemoryException `CONFLICT` when a daemon holds the lock, whether it answers or not
  public static void requireNone(Path data) {
    DaemonState state = DaemonState.of(data);
    if (!(state instanceof DaemonState.Absent)) {
      String pid = state.holder().stream().mapToObj(Long::toString).findFirst().orElse("unknown");
      throw new MemoryException(
          ErrorCode.CONFLICT,
          "a daemon has the stores open (pid %s); run `memory stop` first".formatted(pid));
    }
  }

  /// The process of a daemon, if it is visible from here. Process ids are reused, and containers
  /// have their own. So the process must be older than the file and look like a daemon.
  ///
  /// @param wrote when it wrote the file
  public static Optional<ProcessHandle> process(long pid, Instant wrote) {
    return ProcessHandle.of(pid).filter(process -> isDaemon(process, wrote));
  }

  private static boolean isDaemon(ProcessHandle process, Instant wrote) {
    ProcessHandle.Info info = process.info();
    boolean older =
        info.startInstant().map(start -> !start.minus(TOLERANCE).isAfter(wrote)).orElse(true);
    List<String> command =
        info.arguments().map(List::of).orElseGet(() -> ProcessState.commandLine(process.pid()));
    return process.isAlive() && older && command.contains(MAIN);
  }

  @Override
  public OptionalLong holder() {
    return OptionalLong.of(pid);
  }

  /// What to do about a daemon of another version than this program; empty when it is of the same.
  public Optional<String> otherVersion() {
    String own = Version.current();
    return version.equals(own)
        ? Optional.empty()
        : Optional.of(
            "the daemon has version %s, this program %s; replace it with `memory stop`, then `memory start`"
                .formatted(version, own));
  }

  /// Whether it answers a health check, with any result.
  ///
  /// @param atMost how long it may take
  public boolean answers(Duration atMost) {
    var endpoint =
        new Endpoint(host, port, Optional.empty())
            .withHttp(socket.map(UnixDomainSocketAddress::of));
    try (var client = MemoryClient.connectThin(endpoint, Deadlines.DEFAULT.withAlive(atMost))) {
      client.healthy();
      return true;
    } catch (MemoryException e) {
      return false;
    }
  }

  /// A sentence for a daemon that does not answer.
  @Override
  public String sentence() {
    boolean suspended = ProcessState.of(pid) == ProcessState.SUSPENDED;
    return "the daemon with pid "
        + pid
        + (suspended
            ? " is suspended: `kill -CONT " + pid + "` resumes it"
            : " does not answer at " + host + ":" + port)
        + "; `memory stop --force` kills it";
  }
}
