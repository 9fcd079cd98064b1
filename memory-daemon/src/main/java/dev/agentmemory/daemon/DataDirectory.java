package dev.agentmemory.daemon;

import dev.agentmemory.daemon.data.DirectoryMarker;
import dev.agentmemory.daemon.data.OwnDirectory;
import dev.agentmemory.daemon.data.Token;
import dev.agentmemory.storage.DurableFile;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
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
/// daemon.json         process, address and version of the running daemon; gone when none runs
/// daemon.lock         held by the running daemon, and which process that is
/// db/<name>/          the store of a workspace
/// account/            the store of what belongs to no workspace
/// logs/               what a detached daemon prints
/// ```
final class DataDirectory {

  private static final Logger LOG = LoggerFactory.getLogger(DataDirectory.class);
  private static final int LOCK_TRIES = 40;
  private static final Duration LOCK_PAUSE = Duration.ofMillis(50);

  private final Path path;
  private final InstantSource clock;
  private final OwnDirectory.State state;

  /// Creates the directory when it is missing.
  ///
  /// @param db where its stores are
  /// @throws MemoryException when it is not ours, as [OwnDirectory] says, or its token is damaged
  DataDirectory(InstantSource clock, Path path, Path db) {
    this.path = path;
    this.clock = clock;
    this.state = OwnDirectory.claim(path, db, clock.instant());
    var _ = Token.read(path);
  }

  /// The token that callers send; drawn on the first start, kept from then on.
  String token() {
    try {
      Optional<Token> there = Token.read(path);
      return there.isPresent() ? there.get().text() : Token.draw(path).text();
    } catch (IOException e) {
      throw OwnDirectory.unusable(path, e);
    }
  }

  /// Makes sure that one daemon has the directory, until it is closed, then closes the directory to
  /// others and marks it as ours. Each store has a lock of its own, but stores are open only now
  /// and then.
  ///
  /// @throws MemoryException `CONFLICT` when another one has it
  AutoCloseable lock() {
    Path file = path.resolve("daemon.lock");
    try {
      FileChannel channel =
          FileChannel.open(
              file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
      if (isTaken(channel)) {
        channel.close();
        throw new MemoryException(
            ErrorCode.CONFLICT,
            "%s is in use by another daemon (%s); stop it or choose another directory with --data"
                .formatted(path, Files.readString(file).strip()));
      }
      String holder = "pid=" + ProcessHandle.current().pid() + "\n";
      channel.truncate(0);
      channel.write(ByteBuffer.wrap(holder.getBytes(StandardCharsets.UTF_8)));
      takeOver();
      return channel;
    } catch (IOException e) {
      throw OwnDirectory.unusable(path, e);
    }
  }

  private void takeOver() throws IOException {
    OwnDirectory.restrict(path);
    if (state == OwnDirectory.State.DAMAGED_MARKER) {
      LOG.warn(
          "the file {} was damaged and is written anew: lock, token and stores prove that the"
              + " directory is one of agent-memory; look at the disk",
          path.resolve(DirectoryMarker.FILE));
    }
    if (state != OwnDirectory.State.MARKED) {
      DirectoryMarker.write(path, clock.instant());
    }
  }

  private static boolean isTaken(FileChannel channel) throws IOException {
    try {
      // Commands take it for a moment, to see whether it is taken.
      for (int i = 0; i < LOCK_TRIES; i++) {
        if (channel.tryLock() != null) {
          return false;
        }
        Thread.sleep(LOCK_PAUSE);
      }
      return true;
    } catch (OverlappingFileLockException e) {
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  /// Tells clients where the daemon is.
  void announce(String host, int port, String version) {
    String json =
        """
        {"pid":%d,"host":"%s","port":%d,"version":"%s"}
        """
            .formatted(ProcessHandle.current().pid(), host, port, version);
    guarded(() -> DurableFile.write(announcement(), json));
  }

  void withdraw() {
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
