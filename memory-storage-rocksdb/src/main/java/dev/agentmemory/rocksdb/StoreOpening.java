package dev.agentmemory.rocksdb;

import dev.agentmemory.rocksdb.config.StorageConfig;
import dev.agentmemory.rocksdb.internal.engine.BatchWriter;
import dev.agentmemory.rocksdb.internal.engine.CurrentFile;
import dev.agentmemory.rocksdb.internal.engine.Database;
import dev.agentmemory.rocksdb.internal.engine.RocksErrors;
import dev.agentmemory.rocksdb.internal.engine.RocksReader;
import dev.agentmemory.rocksdb.internal.home.Witness;
import dev.agentmemory.rocksdb.internal.home.WitnessKeeper;
import dev.agentmemory.storage.codec.Counters;
import dev.agentmemory.storage.codec.StoreHeader;
import dev.agentmemory.storage.read.MetaRows;
import dev.agentmemory.storage.read.View;
import dev.agentmemory.storage.rows.Table;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.rocksdb.RocksDBException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Decides whether a store may be opened for writing.
///
/// Opening for writing cannot be undone: the engine reads its log into new files and deletes files
/// that it no longer needs. So everything is first read without a change and compared with the
/// marker and the witness, which are outside the engine's folder.
final class StoreOpening {

  private static final Logger LOG = LoggerFactory.getLogger(StoreOpening.class);

  private final StoreHome home;
  private final StorageConfig config;
  private final StoreHeader fresh;

  /// The commit thread adds notes when it reopens a running store.
  private final List<String> notes = new CopyOnWriteArrayList<>();

  /// As read before the store was opened for writing; empty for a new store.
  private Optional<StoreHeader> found = Optional.empty();

  private long generation = 1;

  /// @param fresh the header for a store that has none
  StoreOpening(StoreHome home, StorageConfig config, StoreHeader fresh) {
    this.home = home;
    this.fresh = fresh;
    this.config = config;
  }

  /// Checks a store that is open for reading only.
  ///
  /// @throws MemoryException `STORE_DAMAGED`, `UNSUPPORTED_FORMAT`, `CORRUPT_RECORD`, `CONFLICT`
  void check(Database engine) {
    Optional<Witness.Mark> mark = witnessed();
    home.marker().ifPresent(marker -> generation = marker.generation());
    checkManifest(mark.filter(this::isOfThisGeneration));
    found = header(engine);
    if (found.isPresent()) {
      found.get().checkZone(config.zone());
      checkMarker(found.get(), mark);
    } else {
      refuseWithoutHeader(engine, mark);
    }
    found.map(StoreHeader::schemaVersion).ifPresent(engine::requireTables);
    mark.filter(this::isOfThisGeneration).ifPresent(one -> checkProgress(engine, one));
  }

  private static Optional<StoreHeader> header(Database engine) {
    if (engine.has(Table.META)) {
      return new MetaRows(View.of(RocksReader.of(engine))).header();
    }
    if (!engine.isEmpty()) {
      throw notOurs();
    }
    return Optional.empty();
  }

  /// The exception for a database of another program.
  static MemoryException notOurs() {
    return new MemoryException(
        ErrorCode.UNSUPPORTED_FORMAT,
        "the database was not written by this program; choose another directory");
  }

  private boolean isOfThisGeneration(Witness.Mark mark) {
    return mark.generation() == generation;
  }

  /// Checks a store whose process still knows what it acknowledged.
  ///
  /// @param acknowledged how far the store had acknowledged
  /// @throws MemoryException `STORE_DAMAGED` when the store contains less
  void checkReopened(Database engine, Counters acknowledged) {
    missing(
            counters(engine),
            acknowledged.outboxHead(),
            acknowledged.recordChanges(),
            "this process acknowledged")
        .ifPresent(this::refuse);
  }

  /// A database without a header has stored no event, unless the marker or the witness says so.
  private void refuseWithoutHeader(Database engine, Optional<Witness.Mark> mark) {
    if (home.origin() == StoreHome.Origin.READY) {
      throw mark.flatMap(one -> missing(Counters.NONE, one))
          .orElseGet(
              () -> RocksErrors.damaged("the header row of " + home.directory() + " is missing"));
    }
    if (!engine.isEmpty()) {
      throw notOurs();
    }
    try (Stream<Path> files = Files.list(home.tables())) {
      if (files.anyMatch(file -> file.getFileName().toString().endsWith(".sst"))) {
        throw RocksErrors.damaged("the manifest of " + home.directory() + " does not name a table");
      }
    } catch (IOException e) {
      throw unreadable(home.tables(), e);
    }
  }

  private void checkMarker(StoreHeader header, Optional<Witness.Mark> mark) {
    Optional<StoreMarker> marker = home.marker();
    if (marker.isPresent()) {
      if (!isOf(marker.get(), header)) {
        throw RocksErrors.damaged(
            "%s belongs to a different store than the RocksDB directory next to it"
                .formatted(home.directory().resolve(StoreMarker.FILE)));
      }
    } else if (header.isMarked()) {
      // Either marker or witness is enough to identify this store.
      boolean known = mark.isPresent() && mark.get().storeId().equals(header.storeId());
      if (!known) {
        throw RocksErrors.damaged(
            "%s is missing or damaged, and no witness file confirms that the store is complete"
                .formatted(home.directory().resolve(StoreMarker.FILE)));
      }
      generation = mark.get().generation();
      note(
          "%s was missing or damaged and was written again; everything else is consistent"
              .formatted(home.directory().resolve(StoreMarker.FILE)));
    }
    if (header.isMarked() && mark.isPresent()) {
      checkIdentity(header, mark.get());
    }
  }

  private static boolean isOf(StoreMarker marker, StoreHeader header) {
    boolean upgrading = marker.state() == StoreMarker.State.UPGRADING && !header.isMarked();
    return upgrading
        ? marker.digestKey().equals(header.digestKey())
        : marker.storeId().equals(header.storeId());
  }

  private void checkIdentity(StoreHeader header, Witness.Mark mark) {
    if (!mark.storeId().equals(header.storeId())) {
      throw RocksErrors.damaged(
          "%s is the witness of a different store than %s"
              .formatted(witnessFile(), home.directory()));
    }
    if (mark.generation() > generation) {
      throw RocksErrors.damaged(
          "%s is an older copy: it has generation %d, but %s records generation %d"
              .formatted(home.directory(), generation, witnessFile(), mark.generation()));
    }
  }

  private void checkManifest(Optional<Witness.Mark> mark) {
    try {
      Optional<Path> manifest = CurrentFile.manifest(home.tables());
      if (mark.isPresent() && manifest.isPresent()) {
        String name = String.valueOf(manifest.get().getFileName());
        long bytes = Files.size(manifest.get());
        if (name.equals(mark.get().manifest()) && bytes < mark.get().manifestBytes()) {
          refuse(
              RocksErrors.damaged(
                  "%s has %d bytes instead of %d"
                      .formatted(manifest.get(), bytes, mark.get().manifestBytes())));
        }
      }
    } catch (IOException e) {
      throw unreadable(home.tables(), e);
    }
  }

  private void checkProgress(Database engine, Witness.Mark mark) {
    missing(counters(engine), mark).ifPresent(this::refuse);
  }

  /// With asynchronous writing acknowledged commits may be lost when the machine crashes. The
  /// setting accepts that.
  private void refuse(MemoryException why) {
    switch (config.durability()) {
      case FSYNC -> throw why;
      case ASYNC -> note(String.valueOf(why.getMessage()));
    }
  }

  /// What a store lacks according to a witness.
  private Optional<MemoryException> missing(Counters found, Witness.Mark mark) {
    return missing(found, mark.sequence(), mark.recordChanges(), witnessFile() + " says");
  }

  /// @param source who says that a sequence and a number of changes of records were acknowledged
  private static Optional<MemoryException> missing(
      Counters found, long sequence, long recordChanges, String source) {
    if (found.outboxHead() < sequence) {
      return Optional.of(
          lost("entries %d to %d of the log".formatted(found.outboxHead() + 1, sequence), source));
    }
    return found.recordChanges() < recordChanges
        ? Optional.of(
            lost(
                "changes %d to %d of curated memories"
                    .formatted(found.recordChanges() + 1, recordChanges),
                source))
        : Optional.empty();
  }

  private static MemoryException lost(String what, String source) {
    return RocksErrors.damaged(
        "%s were acknowledged (%s) and are missing: a file of the log or the manifest was deleted,"
                .formatted(what, source)
            + " truncated or replaced by an older copy");
  }

  private static Counters counters(Database engine) {
    return new MetaRows(View.of(RocksReader.of(engine))).counters();
  }

  private Optional<Witness.Mark> witnessed() {
    if (home.location().witness().isEmpty()) {
      return Optional.empty();
    }
    Path file = home.location().witness().get();
    try {
      Witness.Look look = Witness.look(file);
      boolean expected =
          home.marker().filter(one -> one.state() == StoreMarker.State.READY).isPresent();
      if (expected && !(look instanceof Witness.Look.Present)) {
        note(
            "the witness %s was %s, so a truncated log could not have been detected"
                .formatted(file, look instanceof Witness.Look.Absent ? "missing" : "damaged"));
      }
      return look.believed().filter(mark -> !isSuperseded(mark));
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  /// A recovered store whose id was lost gets a new id. The witness of the earlier store does not
  /// apply to it.
  private boolean isSuperseded(Witness.Mark mark) {
    return home.marker()
        .filter(marker -> marker.state() == StoreMarker.State.RESTORED)
        .filter(marker -> !marker.storeId().equals(mark.storeId()))
        .isPresent();
  }

  private String witnessFile() {
    return home.location().witness().map(Path::toString).orElse("the witness");
  }

  private static MemoryException unreadable(Path file, IOException e) {
    return new MemoryException(
        ErrorCode.STORAGE_FAILED, "cannot read " + file + "; check its permissions", e);
  }

  private void note(String note) {
    LOG.error("{}", note);
    notes.add(note);
  }

  /// Notes for readers of `status` about this opening and about reopenings after failures.
  List<String> notes() {
    return List.copyOf(notes);
  }

  /// The header as it was before.
  Optional<StoreHeader> found() {
    return found;
  }

  /// Upgrades header and marker to the current format, once the store is open for writing.
  ///
  /// @return the header from now on
  StoreHeader complete(Database engine) {
    StoreHeader header =
        found.map(this::opened).or(() -> home.marker().map(StoreMarker::header)).orElse(fresh);
    if (!found.equals(Optional.of(header))) {
      if (found.isPresent() && !found.get().isMarked()) {
        home.mark(StoreMarker.of(header, generation, StoreMarker.State.UPGRADING));
      }
      new BatchWriter(engine).writeHeader(header);
      try {
        engine.syncLog();
      } catch (RocksDBException e) {
        throw RocksErrors.translated("while writing the header of the store", e);
      }
    }
    home.complete(StoreMarker.of(header, generation, StoreMarker.State.READY));
    return header;
  }

  /// After an interrupted upgrade the id that was drawn is used again.
  private StoreHeader opened(StoreHeader former) {
    return home.marker().map(marker -> former.named(marker.storeId())).orElse(former).opened();
  }

  /// Starts the witness of this store.
  WitnessKeeper witness(StoreHeader header) {
    return WitnessKeeper.of(home.location().witness(), header.storeId(), generation, home.tables());
  }
}
