package dev.agentmemory.cli.terminal;

import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.function.Consumer;
import java.util.function.Function;

/// A file of lines that only its owner can read. It appears under its name when it is complete.
public final class OutputFile {

  private OutputFile() {}

  /// Writes a file.
  ///
  /// @param replace whether a file of that name is replaced, else refused
  /// @param writing gets what takes the lines, without their ends
  /// @return what the writing returns
  /// @throws MemoryException `CONFLICT` when the file exists or cannot be written, `NOT_FOUND` when
  ///   its folder does not exist
  public static <T> T write(Path file, boolean replace, Function<Consumer<String>, T> writing) {
    Path folder = file.toAbsolutePath().getParent();
    if (Files.isDirectory(file) || folder == null) {
      throw new MemoryException(ErrorCode.CONFLICT, file + " is a directory; give a file");
    }
    if (!Files.isDirectory(folder)) {
      throw new MemoryException(
          ErrorCode.NOT_FOUND, "there is no folder " + folder + "; create it first");
    }
    // What is written takes long, so a file that will not be replaced is refused before.
    if (!replace && Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      throw exists(file);
    }
    try {
      return written(file, Files.createTempFile(folder, "export", ".part"), replace, writing);
    } catch (FileAlreadyExistsException e) {
      throw exists(file);
    } catch (IOException e) {
      throw FileErrors.of(e);
    }
  }

  private static MemoryException exists(Path file) {
    return new MemoryException(
        ErrorCode.CONFLICT, file + " exists; give another file, or --force to replace it");
  }

  /// @param part a new file, which only its owner can read
  private static <T> T written(
      Path file, Path part, boolean replace, Function<Consumer<String>, T> writing)
      throws IOException {
    try {
      T result;
      try (Writer out = Files.newBufferedWriter(part, StandardCharsets.UTF_8)) {
        result = writing.apply(line -> append(out, line));
      }
      if (replace) {
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      } else {
        Files.move(part, file);
      }
      return result;
    } finally {
      Files.deleteIfExists(part);
    }
  }

  private static void append(Writer out, String line) {
    try {
      out.write(line);
      out.write('\n');
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
