package dev.agentmemory.engine.data;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.agentmemory.spi.Ticker;
import dev.agentmemory.storage.file.DurableFile;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The directory that holds everything of a daemon. Only its owner can read it. Nothing in it is
/// changed, not even a right, before it is known to be ours and locked by this process.
///
/// ```
/// agent-memory.json   says that the directory is ours; the first file that is written
/// token               what callers have to send; made on the first start
/// tokens.json         further tokens with other rights
/// audit.jsonl         who did which administrative act; audit.1.jsonl to audit.4.jsonl are earlier
/// daemon.json         process, address and version of the running daemon; gone when none runs
/// daemon.lock         held by the running daemon, and which process that is
/// backup-directories  where requests have put backups
/// db/<name>/          the store of a workspace
/// account/            the store of what belongs to no workspace
/// logs/               what a detached daemon prints
/// ```
public final class DataDirectory {

  private static final Logger LOG = LoggerFactory.getLogger(DataDirectory.class);

  private final Path path;
  private final InstantSource clock;
  private final OwnDirectory.State state;

  /// Creates the directory when it is missing.
  ///
  /// @param db where its stores are
  /// @throws MemoryException when it is not ours, as [OwnDirectory] says, or its token is damaged
  public DataDirectory(InstantSource clock, Path path, Path db) {
    this.path = path;
    this.clock = clock;
    this.state = OwnDirectory.claim(path, db, clock.instant());
    var _ = Token.read(path);
  }

  /// The tokens that callers send. That of the owner is drawn on the first start.
  public DirectoryTokens tokens(Ticker ticker) {
    return new DirectoryTokens(path, ticker, token().hash());
  }

  private Token token() {
    Optional<Token> there = Token.read(path);
    if (there.isPresent()) {
      return there.get();
    }
    Token drawn = Token.draw();
    drawn.write(path);
    return drawn;
  }

  /// Makes sure that one daemon has the directory, until it is closed, then closes the directory to
  /// others and marks it as ours.
  ///
  /// @throws MemoryException `CONFLICT` when another one has it
  public AutoCloseable lock() {
    DirectoryLock lock = DirectoryLock.take(path);
    try {
      takeOver();
      return lock;
    } catch (IOException e) {
      lock.close();
      throw OwnDirectory.unusable(path, e);
    }
  }

  private void takeOver() throws IOException {
    OwnDirectory.restrict(path);
    if (state == OwnDirectory.State.DAMAGED_MARKER) {
      LOG.warn(
          "the damaged file {} is written again: lock, token and stores prove that the"
              + " directory is one of agent-memory; look at the disk",
          path.resolve(DirectoryMarker.FILE));
    }
    if (state != OwnDirectory.State.MARKED) {
      DirectoryMarker.write(path, clock.instant());
    }
  }

  /// Tells clients where the daemon is.
  ///
  /// @param port of gRPC
  /// @param socket of HTTP
  public void announce(String host, int port, int httpPort, Path socket, String version) {
    String json =
        """
        {"pid":%d,"host":"%s","port":%d,"http_port":%d,"socket":%s,"version":"%s"}
        """
            .formatted(
                ProcessHandle.current().pid(), host, port, httpPort, quoted(socket), version);
    guarded(() -> DurableFile.write(announcement(), json));
  }

  private static String quoted(Path path) {
    return JsonNodeFactory.instance.textNode(path.toString()).toString();
  }

  /// Removes what [#announce] has written.
  public void withdraw() {
    guarded(() -> Files.deleteIfExists(announcement()));
  }

  private Path announcement() {
    return path.resolve("daemon.json");
  }

  private void guarded(FileAction action) {
    try {
      action.run();
    } catch (IOException e) {
      throw OwnDirectory.unusable(path, e);
    }
  }

  private interface FileAction {
    void run() throws IOException;
  }
}
