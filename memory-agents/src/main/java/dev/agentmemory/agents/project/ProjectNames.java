package dev.agentmemory.agents.project;

import dev.agentmemory.types.WorkspaceName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The names of projects that a daemon was started with: the file `agents/workspaces.txt` of the
/// data directory. The daemon writes it at its start, so that `memory import` and `memory mcp`,
/// which do not read its settings, use the same workspaces.
public final class ProjectNames {

  private ProjectNames() {}

  private static Path file(Path data) {
    return data.resolve("agents").resolve("workspaces.txt");
  }

  /// Replaces the names.
  ///
  /// @param names by a directory of each project; no path has a line break
  public static void write(Path data, Map<Path, WorkspaceName> names) {
    Path file = file(data);
    try {
      if (names.isEmpty()) {
        Files.deleteIfExists(file);
        return;
      }
      List<String> lines =
          names.entrySet().stream().map(one -> one.getValue() + " " + one.getKey()).toList();
      Files.createDirectories(file.getParent());
      Path draft = file.resolveSibling(file.getFileName() + ".new");
      Files.write(draft, lines, StandardCharsets.UTF_8);
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The workspaces of projects. Without the file, each has its derived name.
  public static ProjectWorkspaces workspaces(Path data) {
    Map<Path, WorkspaceName> names = new HashMap<>();
    try {
      // Bytes that are not UTF-8 spoil their line only.
      String text = new String(Files.readAllBytes(file(data)), StandardCharsets.UTF_8);
      text.lines().forEach(line -> read(line, names));
    } catch (NoSuchFileException e) {
      return ProjectWorkspaces.DEFAULT;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new ProjectWorkspaces(names);
  }

  private static void read(String line, Map<Path, WorkspaceName> names) {
    int blank = line.indexOf(' ');
    try {
      if (blank > 0) {
        Path directory = Path.of(line.substring(blank + 1));
        WorkspaceName.of(line.substring(0, blank)).ifPresent(name -> names.put(directory, name));
      }
    } catch (InvalidPathException e) {
      // A damaged line names no project.
    }
  }
}
