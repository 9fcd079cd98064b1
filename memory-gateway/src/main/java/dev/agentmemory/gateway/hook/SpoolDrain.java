package dev.agentmemory.gateway.hook;

import dev.agentmemory.agents.HookMessage;
import dev.agentmemory.agents.spool.SpoolFolder;
import dev.agentmemory.gateway.hook.HookCounts.Outcome;
import dev.agentmemory.spi.Mutex;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// Stores the files of the spool and deletes each when it is durable. A file that cannot be stored
/// now stays where it is and is tried again after a minute. One thread calls [#step] again and
/// again.
final class SpoolDrain {

  static final Duration BETWEEN_LOOKS = Duration.ofMillis(250);

  private static final Duration RETRY = Duration.ofMinutes(1);
  private static final int BATCH = 256;

  private final InstantSource clock;
  private final SpoolFolder spool;
  private final HookStore store;
  private final HookCounts counts;
  private final Consumer<HookStore.Read> stored;
  private final Mutex turn = new Mutex();

  /// Files that were listed and not read yet. A long spool is listed once, since that looks at each
  /// file.
  private SpoolFolder.Listing files = SpoolFolder.Listing.empty();

  /// Files that could not be stored, and when to try again.
  private final Map<Path, Instant> waiting = new ConcurrentHashMap<>();

  /// @param stored is told of each message that is durable
  SpoolDrain(
      InstantSource clock,
      SpoolFolder spool,
      HookStore store,
      HookCounts counts,
      Consumer<HookStore.Read> stored) {
    this.clock = clock;
    this.spool = spool;
    this.store = store;
    this.counts = counts;
    this.stored = stored;
  }

  private record Pending(Path file, HookStore.Read read, CompletableFuture<Void> durable) {}

  /// Stores some files.
  ///
  /// @return how long to wait for the next step
  Duration step() {
    try (var _ = turn.hold()) {
      return some();
    }
  }

  private Duration some() {
    Instant now = clock.instant();
    try {
      if (files.isEmpty()) {
        waiting.keySet().removeIf(file -> !Files.exists(file));
        files = spool.list(file -> !now.isBefore(waiting.getOrDefault(file, now)));
      }
      // All are on their way before the first is waited for, so that they share one sync.
      List<Pending> pending =
          files.take(BATCH).stream().map(this::begin).flatMap(Optional::stream).toList();
      pending.forEach(one -> end(one, now));
      return files.isEmpty() ? BETWEEN_LOOKS : Duration.ZERO;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Stores all files that are there now, also those whose time to be tried again has not come.
  void all() {
    try (var _ = turn.hold()) {
      files = SpoolFolder.Listing.empty();
      waiting.replaceAll((_, _) -> Instant.MIN);
      Duration wait;
      do {
        wait = some();
      } while (wait.isZero());
    }
  }

  /// The files that could not be stored.
  Set<Path> unstored() {
    return Set.copyOf(waiting.keySet());
  }

  /// Does something while no file is stored.
  <T> T hold(Supplier<T> work) {
    try (var _ = turn.hold()) {
      return work.get();
    }
  }

  /// How many files wait for the disk or their workspace. Any thread may ask.
  int waiting() {
    return waiting.size();
  }

  private Optional<Pending> begin(Path file) {
    try {
      Optional<HookMessage> message = spool.read(file);
      if (message.isEmpty()) {
        return Optional.empty();
      }
      HookStore.Read read = store.read(message.get());
      return Optional.of(new Pending(file, read, store.store(read)));
    } catch (IOException | RuntimeException e) {
      retry(file);
      return Optional.empty();
    }
  }

  private void end(Pending one, Instant now) {
    try {
      one.durable().join();
      Files.deleteIfExists(one.file());
      waiting.remove(one.file());
      stored.accept(one.read());
    } catch (CompletionException | IOException e) {
      retry(one.file(), now);
    }
  }

  private void retry(Path file) {
    retry(file, clock.instant());
  }

  private void retry(Path file, Instant now) {
    if (waiting.put(file, now.plus(RETRY)) == null) {
      counts.add(Outcome.WAITING_IN_SPOOL);
    }
  }
}
