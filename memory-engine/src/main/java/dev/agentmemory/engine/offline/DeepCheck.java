package dev.agentmemory.engine.offline;

import dev.agentmemory.engine.config.EngineConfig;
import dev.agentmemory.recall.upkeep.MemoryRowCheck;
import dev.agentmemory.rocksdb.RocksStore;
import dev.agentmemory.rocksdb.StoreDirectory;
import dev.agentmemory.rocksdb.StoreLocation;
import dev.agentmemory.search.IndexFileCheck;
import dev.agentmemory.store.Finding;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Checks a store from the checksums of its files and those of its search index up to what its
/// records promise each other.
public final class DeepCheck {

  /// How many findings of a store are told at most; there may be more.
  public static final int MOST_FINDINGS = 1000;

  private static final String STORE = "store";

  private final EngineConfig config;
  private final InstantSource clock;

  public DeepCheck(EngineConfig config, InstantSource clock) {
    this.config = config;
    this.clock = clock;
  }

  /// Checks the files only, which a daemon may have open.
  public Checked files(StoreLocation store) {
    return checked(store, storeFiles(store), List.of());
  }

  private static List<Finding> storeFiles(StoreLocation store) {
    return OfflineStores.isLost(store.directory())
        ? List.of(new Finding(STORE, OfflineStores.name(store), lost(store)))
        : StoreDirectory.check(store.directory());
  }

  private Checked checked(StoreLocation store, List<Finding> found, List<String> notes) {
    List<Finding> index = IndexFileCheck.run(OfflineStores.index(config, store));
    return new Checked(
        OfflineStores.name(store),
        found.isEmpty(),
        Stream.concat(found.stream(), index.stream()).limit(MOST_FINDINGS).toList(),
        notes);
  }

  private static String lost(StoreLocation store) {
    return ("%s is missing, although %s says that there was a store; put it back, restore a backup"
            + " with `memory restore`, or delete the workspace with `memory workspaces delete`")
        .formatted(store.directory(), store.witness().map(Path::toString).orElse("nothing"));
  }

  /// What a check came to.
  ///
  /// @param store its name
  /// @param whole whether nothing is wrong but with its search index, which is made from it
  /// @param findings what is wrong, 1,000 at most; empty when nothing is
  /// @param notes what was missing and could be written again by opening the store, or why it was
  ///   not opened
  public record Checked(String store, boolean whole, List<Finding> findings, List<String> notes) {

    public Checked {
      findings = List.copyOf(findings);
      notes = List.copyOf(notes);
    }

    public boolean isSound() {
      return findings.isEmpty();
    }
  }

  /// Checks files and records of a closed store.
  ///
  /// @throws MemoryException `CONFLICT` when a process has it open, `UNSUPPORTED_FORMAT` when it is
  ///   of a newer version, `STORAGE_FAILED` when the disk refuses
  public Checked whole(StoreLocation store) {
    var found = new ArrayList<>(storeFiles(store));
    List<String> notes = List.of();
    try {
      notes = unopened(store);
      if (!notes.isEmpty() || OfflineStores.isLost(store.directory())) {
        return checked(store, found, notes);
      }
      try (RocksStore opened = RocksStore.open(store, config.storage(), clock)) {
        notes = opened.notes();
        found.addAll(opened.verify(MOST_FINDINGS));
        found.addAll(MemoryRowCheck.run(opened.records(), MOST_FINDINGS));
      }
    } catch (MemoryException e) {
      if (e.code().kind() != ErrorCode.Kind.CORRUPT) {
        throw e;
      }
      found.add(new Finding(STORE, OfflineStores.name(store), String.valueOf(e.getMessage())));
    }
    return checked(store, found, notes);
  }

  /// Opening a store of a former format would raise it, after which its program could not read it.
  private static List<String> unopened(StoreLocation store) {
    return RocksStore.formerFormat(store.directory()).stream()
        .map(format ->
            ("%s has format %d, so only its files were checked; its records can be checked after a"
                    + " daemon or `memory migrate` has upgraded it to format %d")
                .formatted(OfflineStores.name(store), format, RocksStore.FORMAT))
        .toList();
  }
}
