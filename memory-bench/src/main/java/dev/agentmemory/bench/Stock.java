package dev.agentmemory.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

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
      Path folder = Leftovers.directory(parent, "stock");
      try {
        fill.accept(folder);
      } catch (RuntimeException e) {
        Trees.delete(folder);
        throw e;
      }
      filled = Optional.of(folder);
    }
    Trees.copy(filled.get().resolve(NAME), target);
  }

  @Override
  public synchronized void close() {
    filled.ifPresent(Trees::delete);
    filled = Optional.empty();
  }
}
