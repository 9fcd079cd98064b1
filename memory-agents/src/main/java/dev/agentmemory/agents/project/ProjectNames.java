package dev.agentmemory.agents.project;

import dev.agentmemory.types.WorkspaceName;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/// The names of projects that a daemon was started with: the file `agents/workspaces.txt` of the
/// data directory. The daemon writes it at its start, so that `memory import` and `memory mcp`,
/// which do not read its settings, use the same workspaces.
public final class ProjectNames {

  private ProjectNames() {}

  private static Path file(Path data) {
    return AgentFiles.folder(data).resolve("workspaces.txt");
  }

  /// Replaces the names.
  ///
  /// @param names by a directory of each project; no path has a line break
  public static void write(Path data, Map<Path, WorkspaceName> names) {
    AgentFiles.replace(
        file(data),
        names.entrySet().stream().map(one -> one.getValue() + " " + one.getKey()).toList());
  }

  /// The workspaces of projects. Without the file, each has its derived name.
  public static ProjectWorkspaces workspaces(Path data) {
    Map<Path, WorkspaceName> names = new HashMap<>();
    AgentFiles.lines(file(data)).forEach(line -> read(line, names));
    return names.isEmpty() ? ProjectWorkspaces.DEFAULT : new ProjectWorkspaces(names);
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
