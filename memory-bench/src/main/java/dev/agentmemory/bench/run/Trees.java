package dev.agentmemory.bench.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.stream.Stream;

/// Copies and deletes directories recursively.
public final class Trees {

  private static final int TRIES = 10;
  private static final int PAUSE_MILLIS = 100;

  private Trees() {}

  /// Copies a directory to a path that does not exist. Permissions are kept.
  public static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Files.copy(
            file, to.resolve(from.relativize(file).toString()), StandardCopyOption.COPY_ATTRIBUTES);
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /// Deletes a directory, if it exists.
  public static void delete(Path root) {
    try {
      deleteOnce(root);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot delete " + root, e);
    }
  }

  /// Like [#delete], while other processes may still create files in it: retries for a second.
  static void deleteAgain(Path root) {
    for (int attempt = 1; ; attempt++) {
      try {
        deleteOnce(root);
        return;
      } catch (IOException | UncheckedIOException e) {
        if (attempt == TRIES) {
          throw new IllegalStateException("cannot delete " + root, e);
        }
        pause();
      }
    }
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void deleteOnce(Path root) throws IOException {
    if (!Files.exists(root)) {
      return;
    }
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
