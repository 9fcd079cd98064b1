package dev.agentmemory.agents.project;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Projects of which nothing is recorded: those that are named, and those with an ignore file. The
/// daemon writes the named ones to `agents/excluded.txt` of the data directory at its start, so
/// that `memory import`, which does not read its settings, leaves out the same.
public final class ExcludedProjects {

  /// The name of an ignore file. It lies in [ProjectWorkspaces#folder].
  public static final String IGNORE_FILE = ".agent-memory-ignore";

  private final Set<Path> identities;

  /// @param directories one of each project
  public ExcludedProjects(Collection<Path> directories) {
    identities =
        directories.stream()
            .map(ProjectWorkspaces::identity)
            .collect(Collectors.toUnmodifiableSet());
  }

  private static Path file(Path data) {
    return AgentFiles.folder(data).resolve("excluded.txt");
  }

  /// Replaces the projects that are named.
  ///
  /// @param directories one of each project; no path has a line break
  public static void write(Path data, Collection<Path> directories) {
    AgentFiles.replace(file(data), directories.stream().map(Path::toString).toList());
  }

  /// Those that the daemon of a data directory was started with.
  public static ExcludedProjects read(Path data) {
    return new ExcludedProjects(
        AgentFiles.lines(file(data)).stream().flatMap(line -> path(line).stream()).toList());
  }

  /// A damaged line names no project.
  private static Optional<Path> path(String line) {
    try {
      return Optional.of(Path.of(line)).filter(Path::isAbsolute);
    } catch (InvalidPathException e) {
      return Optional.empty();
    }
  }

  /// Whether a directory belongs to one of them.
  public boolean contains(Path directory) {
    return identities.contains(ProjectWorkspaces.identity(directory))
        || Files.exists(ProjectWorkspaces.folder(directory).resolve(IGNORE_FILE));
  }
}
