package dev.agentmemory.agents.project;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
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

  /// Replaces a file as a whole, and creates its folder. Without lines the file is deleted.
  public static void replace(Path file, List<String> lines) {
    try {
      if (lines.isEmpty()) {
        Files.deleteIfExists(file);
        return;
      }
      Files.createDirectories(file.getParent());
      Path draft = file.resolveSibling(file.getFileName() + ".new");
      Files.write(draft, lines, StandardCharsets.UTF_8);
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
