package dev.agentmemory.agents.project;

import dev.agentmemory.types.WorkspaceName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;

/// The workspaces of projects. A project is a git repository, so that all its worktrees and folders
/// share one, or else a directory. A submodule is a repository of its own.
///
/// A workspace is named for the project's folder, followed by a hash of the canonical path of the
/// git common directory or of the directory, because folders of different projects can have the
/// same name.
public final class ProjectWorkspaces {

  /// No project has a name of its own.
  public static final ProjectWorkspaces DEFAULT = new ProjectWorkspaces(Map.of());

  private static final int MOST_NAME = 48;
  private static final int HASH_BYTES = 5;
  private static final String DOT_GIT = ".git";

  private final Map<Path, WorkspaceName> names = new HashMap<>();

  /// @param names of projects, by any directory of each
  public ProjectWorkspaces(Map<Path, WorkspaceName> names) {
    names.forEach((directory, name) -> this.names.put(identity(directory), name));
  }

  /// The workspace of a directory, which need not exist any more.
  public WorkspaceName of(Path directory) {
    Path identity = identity(directory);
    WorkspaceName named = names.get(identity);
    return named == null ? derived(identity) : named;
  }

  /// What a project is told apart by: the canonical path of its git common directory, else of the
  /// directory.
  public static Path identity(Path directory) {
    Path canonical = canonical(directory);
    return GitFolder.common(canonical).map(ProjectWorkspaces::canonical).orElse(canonical);
  }

  /// The folder in which the files of the project lie, such as the file that excludes it.
  public static Path folder(Path directory) {
    Path identity = identity(directory);
    Path parent = identity.getParent();
    return isDotGit(identity) && parent != null ? parent : identity;
  }

  private static boolean isDotGit(Path path) {
    return String.valueOf(path.getFileName()).equals(DOT_GIT);
  }

  /// Without links, as far as the path exists.
  private static Path canonical(Path path) {
    Path absolute = path.toAbsolutePath().normalize();
    for (Path at = absolute; at != null; at = at.getParent()) {
      try {
        return at.toRealPath().resolve(at.relativize(absolute)).normalize();
      } catch (IOException e) {
        // It was deleted; its parent may be there.
      }
    }
    return absolute;
  }

  private static WorkspaceName derived(Path identity) {
    Path folder = isDotGit(identity) ? identity.getParent() : identity;
    Path last = folder == null ? null : folder.getFileName();
    String name =
        (last == null ? "root" : last.toString())
            .toLowerCase(Locale.ROOT)
            .replaceFirst("[.]git$", "")
            .replaceAll("[^a-z0-9._-]+", "-")
            .replaceAll("[.]{2,}", ".")
            .replaceFirst("^[^a-z0-9]+", "");
    String cut = name.length() > MOST_NAME ? name.substring(0, MOST_NAME) : name;
    return new WorkspaceName((cut.isEmpty() ? "project" : cut) + "-" + hash(identity));
  }

  private static String hash(Path path) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256")
              .digest(path.toString().getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest, 0, HASH_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
