package dev.agentmemory.gateway.console;

import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A file in the data directory, which a browser opens: its page posts a code to the daemon. Only
/// the owner can read it. So the code is in no address, no list of processes and no history.
record EntryFile(Path path) {

  private static final Logger LOG = LoggerFactory.getLogger(EntryFile.class);
  private static final String PREFIX = "console-";
  private static final String SUFFIX = ".html";

  /// The policy lets the page do nothing but this.
  private static final String PAGE =
      """
      <!doctype html>
      <html lang="en">
      <meta charset="utf-8">
      <meta name="referrer" content="no-referrer">
      <title>agent-memory</title>
      <form method="post" action="http://127.0.0.1:@PORT@/console/enter">
      <input type="hidden" name="code" value="@CODE@">
      <button>Open the console of agent-memory</button>
      </form>
      <script>document.forms[0].submit()</script>
      """;

  /// The file of a name that nobody can guess.
  static EntryFile in(Path data, String name) {
    return new EntryFile(data.resolve(PREFIX + name + SUFFIX));
  }

  /// Removes what a daemon that was killed has left.
  static void removeOld(Path data) {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(data, PREFIX + "*" + SUFFIX)) {
      files.forEach(file -> new EntryFile(file).remove());
    } catch (IOException e) {
      LOG.warn("cannot look for old files of the console", e);
    }
  }

  /// @throws MemoryException `CONFLICT` when the file cannot be written
  void write(int port, String code) {
    byte[] page =
        PAGE.replace("@PORT@", Integer.toString(port))
            .replace("@CODE@", code)
            .getBytes(StandardCharsets.UTF_8);
    var ownersOnly =
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    try (var file =
        Files.newByteChannel(
            path, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), ownersOnly)) {
      ByteBuffer rest = ByteBuffer.wrap(page);
      while (rest.hasRemaining()) {
        var _ = file.write(rest);
      }
    } catch (IOException e) {
      remove();
      throw new MemoryException(
          ErrorCode.CONFLICT, "cannot write a file in the data directory: " + e.getMessage(), e);
    }
  }

  /// Removes the file; nothing if it is gone.
  void remove() {
    try {
      var _ = Files.deleteIfExists(path);
    } catch (IOException e) {
      LOG.warn("cannot delete {}; its code is not valid any more", path, e);
    }
  }
}
