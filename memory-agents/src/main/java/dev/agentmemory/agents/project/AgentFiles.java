package dev.agentmemory.agents.project;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/// Small files below the folder `agents` of a data directory. Losing one loses no event.
public final class AgentFiles {

  private AgentFiles() {}

  public static Path folder(Path data) {
    return data.resolve("agents");
  }

  /// The lines of a file; none when it does not exist.
  public static List<String> lines(Path file) {
    try {
      // Bytes that are no UTF-8 spoil their line only.
      return new String(Files.readAllBytes(file), StandardCharsets.UTF_8).lines().toList();
    } catch (NoSuchFileException e) {
      return List.of();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Adds a line to a file, and creates both the file and its folder. Another process may do the
  /// same.
  ///
  /// @param durable whether the line is on disk afterwards
  public static void append(Path file, String line, boolean durable) {
    try {
      Files.createDirectories(file.getParent());
      String text = (isTorn(file) ? "\n" : "") + line + "\n";
      try (var channel =
          FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
        ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
        while (bytes.hasRemaining()) {
          channel.write(bytes);
        }
        if (durable) {
          channel.force(false);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Whether the last line has no end, as a full disk leaves it.
  private static boolean isTorn(Path file) throws IOException {
    try (var channel = FileChannel.open(file, StandardOpenOption.READ)) {
      ByteBuffer last = ByteBuffer.allocate(1);
      return channel.size() > 0
          && channel.read(last, channel.size() - 1) == 1
          && last.get(0) != '\n';
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  /// Replaces a file as a whole, and creates its folder. Without lines the file is deleted.
  public static void replace(Path file, List<String> lines) {
    try {
      if (lines.isEmpty()) {
        Files.deleteIfExists(file);
        return;
      }
      Files.createDirectories(file.getParent());
      String text = String.join("\n", lines) + "\n";
      WholeFile.replace(file, text.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
