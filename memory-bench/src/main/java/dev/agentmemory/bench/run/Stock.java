package dev.agentmemory.bench.run;

import dev.agentmemory.bench.data.Talk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/// A large store that takes minutes to fill. It is filled when it is first requested, copied for
/// every benchmark of the run that needs it, and deleted with the run.
public final class Stock implements AutoCloseable {

  static final String NAME = "data";

  private final Path parent;
  private Optional<Path> filled = Optional.empty();

  /// @param parent where the store is kept
  public Stock(Path parent) {
    this.parent = parent;
  }

  /// Number of its events: 1,000,000, or the property `events`, rounded to full sessions.
  public static int events() {
    return Integer.getInteger("events", 1_000_000) / Talk.IN_SESSION * Talk.IN_SESSION;
  }

  /// Copies the store to a path that does not exist.
  ///
  /// @param fill fills the data directory [#NAME] below the given folder
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
