package dev.agentmemory.rocksdb.internal.home;

import dev.agentmemory.rocksdb.internal.engine.CurrentFile;
import dev.agentmemory.storage.codec.Counters;
import dev.agentmemory.storage.file.DurableFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps the [Witness] of an open store at most a second behind what was acknowledged. A witness
/// that cannot be written does not stop the store: the problem is reported and the write is tried
/// again. Used by the commit thread, and after its end by the thread that closes the store.
public final class WitnessKeeper {

  private static final Logger LOG = LoggerFactory.getLogger(WitnessKeeper.class);

  /// The commit thread calls at least every half second, so an acknowledgement is recorded within
  /// one.
  private static final long INTERVAL_MILLIS = 400;

  private final Optional<Path> file;
  private final String storeId;
  private final long generation;
  private final Path tables;
  private final Syncing syncing;
  private @Nullable Witness witness;
  private long writtenAt;

  /// The part of the manifest that is known to be durable.
  private Manifest synced = Manifest.NONE;

  private volatile Optional<String> problem = Optional.empty();

  /// Makes the content of a file durable, also when other code wrote it.
  interface Syncing {
    void sync(Path file) throws IOException;
  }

  private record Manifest(String name, long bytes) {
    static final Manifest NONE = new Manifest("", 0);
  }

  WitnessKeeper(
      Optional<Path> file, String storeId, long generation, Path tables, Syncing syncing) {
    this.file = file;
    this.storeId = storeId;
    this.generation = generation;
    this.tables = tables;
    this.syncing = syncing;
  }

  public static WitnessKeeper of(
      Optional<Path> file, String storeId, long generation, Path tables) {
    return new WitnessKeeper(file, storeId, generation, tables, DurableFile::sync);
  }

  /// Writes the mark when the last write is long enough ago.
  ///
  /// @param acknowledged what was synced
  public void look(long nowMillis, Counters acknowledged) {
    if (Math.abs(nowMillis - writtenAt) >= INTERVAL_MILLIS) {
      writtenAt = nowMillis;
      write(acknowledged);
    }
  }

  /// Writes the mark.
  public void write(Counters acknowledged) {
    if (file.isEmpty()) {
      return;
    }
    try {
      Witness.Mark mark = mark(acknowledged);
      if (witness == null) {
        witness = Witness.start(file.get(), mark);
      } else {
        witness.write(mark);
      }
      problem = Optional.empty();
    } catch (IOException e) {
      if (problem.isEmpty()) {
        LOG.error("the witness {} cannot be written", file.get(), e);
      }
      problem =
          Optional.of(
              "the witness %s cannot be written (%s), so a truncated log could not be detected"
                  .formatted(file.get(), e.getMessage()));
    }
  }

  private Witness.Mark mark(Counters acknowledged) throws IOException {
    Manifest manifest = manifest();
    return new Witness.Mark(
        storeId,
        generation,
        acknowledged.outboxHead(),
        acknowledged.recordChanges(),
        manifest.name(),
        manifest.bytes());
  }

  /// The engine may have written to its manifest without a sync yet. Without this sync the file
  /// could be shorter after a power failure than the witness says.
  private Manifest manifest() throws IOException {
    Optional<Path> file = CurrentFile.manifest(tables);
    if (file.isEmpty()) {
      return Manifest.NONE;
    }
    try {
      var now = new Manifest(String.valueOf(file.get().getFileName()), Files.size(file.get()));
      if (!now.equals(synced)) {
        syncing.sync(file.get());
        synced = now;
      }
      return now;
    } catch (NoSuchFileException e) {
      // The engine has started another manifest.
      return Manifest.NONE;
    }
  }

  public Optional<String> problem() {
    return problem;
  }

  public void close() {
    if (witness != null) {
      try {
        witness.close();
      } catch (IOException e) {
        LOG.warn("the witness {} could not be closed", file, e);
      }
    }
  }
}
