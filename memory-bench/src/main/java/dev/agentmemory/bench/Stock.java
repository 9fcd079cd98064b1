package dev.agentmemory.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// A large store that takes minutes to fill: filled when it is first asked for, copied for every
/// benchmark of the run that wants one, deleted with the run.
final class Stock implements AutoCloseable {

  static final String NAME = "data";

  private final Path parent;
  private Optional<Path> filled = Optional.empty();

  /// @param parent where the store is kept
  Stock(Path parent) {
    this.parent = parent;
  }

  /// How many events it holds: 1,000,000, or what the property `events` says, in full sessions.
  static int events() {
    return Integer.getInteger("events", 1_000_000) / Talk.IN_SESSION * Talk.IN_SESSION;
  }

  /// Puts a copy where nothing is yet.
  ///
  /// @param fill fills the data directory [#NAME] below the folder that it is given
  synchronized void copyTo(Path target, Consumer<Path> fill) throws IOException {
    if (filled.isEmpty()) {
      Files.createDirectories(parent);
      Path folder = Files.createTempDirectory(parent, "stock-");
      try {
        fill.accept(folder);
      } catch (RuntimeException e) {
        Site.deleteTree(folder);
        throw e;
      }
      filled = Optional.of(folder);
    }
    copyTree(filled.get().resolve(NAME), target);
  }

  private static void copyTree(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(from.relativize(file).toString()));
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  @Override
  public synchronized void close() {
    filled.ifPresent(Site::deleteTree);
    filled = Optional.empty();
  }
}
