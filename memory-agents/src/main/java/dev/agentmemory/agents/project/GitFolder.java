package dev.agentmemory.agents.project;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;

/// Finds the git common directory of a directory from files alone: git itself is never run, since a
/// repository can name programs that it starts.
final class GitFolder {

  private static final String DOT_GIT = ".git";
  private static final int MOST_BYTES = 8192;

  private GitFolder() {}

  /// @param directory absolute; need not exist any more
  static Optional<Path> common(Path directory) {
    for (Path at = directory; at != null; at = at.getParent()) {
      Path dot = at.resolve(DOT_GIT);
      Optional<Path> found =
          Files.isRegularFile(dot)
              ? named(dot, "gitdir:").flatMap(GitFolder::commonOf)
              : commonOf(Files.isDirectory(dot) ? dot : at);
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  /// That of a git directory: the one of a worktree names another one.
  private static Optional<Path> commonOf(Path git) {
    if (!Files.isRegularFile(git.resolve("HEAD"))) {
      return Optional.empty();
    }
    Path common = git.resolve("commondir");
    Path found = Files.isRegularFile(common) ? named(common, "").orElse(git) : git;
    return Files.isDirectory(found.resolve("objects")) && Files.isDirectory(found.resolve("refs"))
        ? Optional.of(found)
        : Optional.empty();
  }

  /// The path in a file of one line, resolved against the folder of the file.
  private static Optional<Path> named(Path file, String prefix) {
    try {
      if (Files.size(file) > MOST_BYTES) {
        return Optional.empty();
      }
      String text = Files.readString(file, StandardCharsets.UTF_8).strip();
      return text.startsWith(prefix)
          ? Optional.of(file.resolveSibling(text.substring(prefix.length()).strip()).normalize())
          : Optional.empty();
    } catch (IOException | InvalidPathException e) {
      return Optional.empty();
    }
  }
}
