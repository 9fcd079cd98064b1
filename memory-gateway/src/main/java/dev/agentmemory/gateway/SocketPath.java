package dev.agentmemory.gateway;

import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// Where the Unix socket of a data directory lies: `http.sock` in it. The system allows about 100
/// bytes for such a path, so a longer one lies in a directory `agent-memory-DIGEST` of the user's
/// runtime directory, or else of the temporary directory, which belongs to the daemon's user and is
/// open to no other. The digest is that of the data directory. The socket of gRPC, `grpc.sock`,
/// lies beside it.
public final class SocketPath {

  static final String FILE = "http.sock";

  /// Linux has 107 and macOS 103.
  private static final int MOST_BYTES = 100;

  private static final Set<PosixFilePermission> OWNER =
      PosixFilePermissions.fromString("rwx------");

  private SocketPath() {}

  /// Creates the directory if the socket is not in the data directory.
  ///
  /// @param runtime the value of `XDG_RUNTIME_DIR`
  /// @throws MemoryException `CONFLICT` if the directory belongs to someone else, or there is no
  ///   place
  public static Path of(Path data, Optional<String> runtime, Path temporary) {
    Path home = data.toAbsolutePath().normalize();
    Path own = home.resolve(FILE);
    if (fits(own)) {
      return own;
    }
    String name = "agent-memory-" + digest(home);
    List<Path> places =
        Stream.concat(
                runtime.filter(text -> !text.isBlank()).map(Path::of).stream(),
                Stream.of(temporary.toAbsolutePath()))
            .filter(Path::isAbsolute)
            .filter(Files::isDirectory)
            .map(place -> place.resolve(name))
            .filter(place -> fits(place.resolve(FILE)))
            .toList();
    if (places.isEmpty()) {
      throw new MemoryException(
          ErrorCode.CONFLICT,
          "the path of the data directory is too long for a Unix socket, and so is that of the"
              + " temporary directory; set XDG_RUNTIME_DIR to a short one");
    }
    return prepared(places.getFirst()).resolve(FILE);
  }

  private static boolean fits(Path socket) {
    return socket.toString().getBytes(StandardCharsets.UTF_8).length <= MOST_BYTES;
  }

  private static Path prepared(Path directory) {
    try {
      try {
        Files.createDirectory(directory, PosixFilePermissions.asFileAttribute(OWNER));
      } catch (FileAlreadyExistsException e) {
        if (!isOurs(directory)) {
          throw new MemoryException(
              ErrorCode.CONFLICT,
              directory
                  + " is needed for the Unix socket, and is not a directory that only this user can"
                  + " open; remove it",
              e);
        }
      }
      return directory;
    } catch (IOException e) {
      throw new MemoryException(
          ErrorCode.CONFLICT, "cannot create " + directory + " for the Unix socket", e);
    }
  }

  private static boolean isOurs(Path directory) throws IOException {
    var found =
        Files.readAttributes(directory, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    return found.isDirectory()
        && found.permissions().equals(OWNER)
        && found.owner().getName().equals(user(directory));
  }

  /// The user of this process: a file that it creates has that owner.
  private static String user(Path directory) throws IOException {
    Path probe = Files.createTempFile(directory, "owner", "");
    try {
      return Files.getOwner(probe).getName();
    } finally {
      Files.delete(probe);
    }
  }

  private static String digest(Path path) {
    try {
      byte[] sum =
          MessageDigest.getInstance("SHA-256")
              .digest(path.toString().getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(sum, 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }
}
