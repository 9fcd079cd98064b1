package dev.agentmemory.spi;

import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;

/// The file of a Unix socket on which a server of this process listens. It lies in a directory that
/// only the owner can open.
///
/// @param path its place, short enough for the system
public record SocketFile(Path path) {

  /// Removes what a process that was killed has left. A file that is no socket is not removed.
  ///
  /// @throws MemoryException `CONFLICT` when there is such a file, or it cannot be removed
  public void removeStale() {
    try {
      if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
        var found =
            Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (!found.isOther()) {
          throw new IOException("it is not a socket");
        }
        Files.delete(path);
      }
    } catch (IOException e) {
      throw unusable(e);
    }
  }

  /// Lets only the owner connect.
  ///
  /// @throws MemoryException `CONFLICT` when its permissions cannot be set
  public void restrict() {
    try {
      Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------"));
    } catch (IOException e) {
      throw unusable(e);
    }
  }

  /// That a server cannot listen on it.
  public MemoryException unusable(Exception cause) {
    return new MemoryException(
        ErrorCode.CONFLICT,
        "cannot listen on the Unix socket " + path + ": " + cause.getMessage(),
        cause);
  }
}
