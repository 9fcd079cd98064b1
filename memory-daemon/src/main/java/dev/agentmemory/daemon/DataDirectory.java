package dev.agentmemory.daemon;

import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// The directory that holds everything of a daemon. Only its owner can read it.
///
/// ```
/// token         what callers have to send; made on the first start
/// daemon.json   process, address and version of the running daemon; gone when none runs
/// daemon.lock   held by the running daemon, and which process that is
/// db/<name>/    the store of a workspace
/// account/      the store of what belongs to no workspace
/// logs/         what a detached daemon prints
/// ```
final class DataDirectory {

  private static final String OWNER_ONLY_FILE = "rw-------";
  private static final String OWNER_ONLY_DIRECTORY = "rwx------";
  private static final int TOKEN_BYTES = 32;

  /// A directory with one of these is ours, whatever else is in it.
  private static final Set<String> MARKS = Set.of("token", "db", "daemon.json", "daemon.lock");

  /// These may be there before the first start.
  private static final Set<String> EARLY = Set.of("logs", "config.toml");

  private final Path path;

  /// Creates the directory when it is missing, and closes it to others when it is not.
  ///
  /// @throws MemoryException `UNSUPPORTED_FORMAT` when something else lives there
  DataDirectory(Path path) {
    this.path = path;
    refuseStrangers(path);
    guarded(() -> {
      Files.createDirectories(path);
      restrict(path, OWNER_ONLY_DIRECTORY);
    });
  }

  /// Nothing is written into another program's directory, and nothing changed about it.
  private void refuseStrangers(Path directory) {
    if (!Files.isDirectory(directory)) {
      return;
    }
    guarded(() -> {
      try (Stream<Path> files = Files.list(directory)) {
        List<String> names = files.map(file -> file.getFileName().toString()).sorted().toList();
        Optional<String> stranger =
            names.stream().filter(name -> !EARLY.contains(name)).findFirst();
        if (stranger.isPresent() && names.stream().noneMatch(MARKS::contains)) {
          throw new MemoryException(
              ErrorCode.UNSUPPORTED_FORMAT,
              directory
                  + " is not empty and holds "
                  + stranger.get()
                  + ", so it is not a data directory of agent-memory; name an empty or new one with"
                  + " --data");
        }
      }
    });
  }

  /// The token that callers send; drawn on the first start, kept from then on.
  String token() {
    Path file = path.resolve("token");
    guarded(() -> {
      if (!Files.exists(file)) {
        byte[] drawn = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(drawn);
        writeWhole(file, HexFormat.of().formatHex(drawn) + "\n");
      }
      restrict(file, OWNER_ONLY_FILE);
    });
    String token = read(file).strip();
    if (token.isEmpty()) {
      throw new MemoryException(
          ErrorCode.CONFLICT, "the token file " + file + " is empty; remove it and start again");
    }
    return token;
  }

  /// Makes sure that one daemon has the directory, until it is closed. Each store has a lock of its
  /// own, but stores are open only now and then.
  ///
  /// @throws MemoryException `CONFLICT` when another one has it
  AutoCloseable lock() {
    Path file = path.resolve("daemon.lock");
    try {
      FileChannel channel =
          FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
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
      return channel;
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private static boolean isTaken(FileChannel channel) throws IOException {
    try {
      return channel.tryLock() == null;
    } catch (OverlappingFileLockException e) {
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
    guarded(() -> writeWhole(announcement(), json));
  }

  void withdraw() {
    guarded(() -> Files.deleteIfExists(announcement()));
  }

  private Path announcement() {
    return path.resolve("daemon.json");
  }

  private String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  /// Nobody ever sees half a file.
  private static void writeWhole(Path file, String content) throws IOException {
    Path draft = file.resolveSibling(file.getFileName() + ".new");
    Files.deleteIfExists(draft);
    if (isPosix()) {
      Files.createFile(
          draft,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(OWNER_ONLY_FILE)));
    }
    Files.write(draft, content.getBytes(StandardCharsets.UTF_8));
    Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }

  private static void restrict(Path file, String permissions) throws IOException {
    if (isPosix()) {
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
    }
  }

  private static boolean isPosix() {
    Set<String> views = FileSystems.getDefault().supportedFileAttributeViews();
    return views.contains("posix");
  }

  private void guarded(FileAction action) {
    try {
      action.run();
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private MemoryException failed(IOException cause) {
    return new MemoryException(
        ErrorCode.STORAGE_FAILED,
        "cannot use the data directory "
            + path
            + " ("
            + cause.getMessage()
            + "); check that it"
            + " is yours and that the disk has room, or name another with --data",
        cause);
  }

  private interface FileAction {
    void run() throws IOException;
  }
}
