package dev.agentmemory.cli.mcp;

import dev.agentmemory.types.WorkspaceName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;

/// The workspace of a project: that of its repository, so that all worktrees share one, else that
/// of the directory. Its name is that of the directory, readable, and a digest of the place,
/// because many projects have the same name. The files of git are read; git itself is never run.
public final class ProjectPlace {

  private static final int LONGEST_NAME = 40;
  private static final int DIGEST_BYTES = 4;
  private static final String GIT = ".git";
  private static final String LINK = "gitdir:";

  private ProjectPlace() {}

  /// @param directory of the project, or one below it; need not exist
  public static WorkspaceName workspace(Path directory) {
    Path start = real(directory);
    for (Path place = start; place != null; place = place.getParent()) {
      Optional<Path> common = common(place.resolve(GIT));
      if (common.isPresent()) {
        return named(common.get());
      }
    }
    return named(start);
  }

  /// The directory that all worktrees of a repository share.
  ///
  /// @param git `.git` of a working directory; a file in a further worktree or a submodule
  private static Optional<Path> common(Path git) {
    try {
      if (Files.isDirectory(git)) {
        return Optional.of(real(git));
      }
      if (!Files.isRegularFile(git)) {
        return Optional.empty();
      }
      String text = Files.readString(git).strip();
      if (!text.startsWith(LINK)) {
        return Optional.empty();
      }
      Path own = git.resolveSibling(text.substring(LINK.length()).strip());
      Path pointer = own.resolve("commondir");
      return Optional.of(
          real(
              Files.isRegularFile(pointer) ? own.resolve(Files.readString(pointer).strip()) : own));
    } catch (IOException | RuntimeException e) {
      // Unreadable, or no path of this system: the directory counts.
      return Optional.empty();
    }
  }

  private static Path real(Path path) {
    try {
      return path.toRealPath();
    } catch (IOException e) {
      return path.toAbsolutePath().normalize();
    }
  }

  private static WorkspaceName named(Path place) {
    Path shown = place.endsWith(GIT) && place.getParent() != null ? place.getParent() : place;
    String name =
        String.valueOf(shown.getFileName())
            .toLowerCase(Locale.ROOT)
            .replaceAll("[^a-z0-9._-]+", "-")
            .replaceFirst("^[^a-z0-9]+", "");
    String readable = name.substring(0, Math.min(LONGEST_NAME, name.length()));
    return new WorkspaceName((readable.isEmpty() ? "project" : readable) + "-" + digest(place));
  }

  private static String digest(Path place) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256")
              .digest(place.toString().getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest, 0, DIGEST_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has SHA-256", e);
    }
  }
}
