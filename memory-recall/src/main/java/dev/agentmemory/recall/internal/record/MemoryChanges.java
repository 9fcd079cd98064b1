package dev.agentmemory.recall.internal.record;

import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.MemoryState;
import dev.agentmemory.api.recall.MemoryUse;
import dev.agentmemory.recall.internal.record.MemoryJson.MemoryRow;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.record.StoredRecord;
import dev.agentmemory.types.MemoryId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/// Collects what a commit does to the rows of memories. The rows must not change until the commit.
public final class MemoryChanges {

  /// Former states that a memory keeps; the oldest go first.
  public static final int MAX_STATES = 100;

  private final MemoryRows rows;
  private final MemoryKeys keys;
  private final RandomGenerator secrets;
  private final List<Change> changes = new ArrayList<>();
  private final Map<String, DigestRow> digests = new LinkedHashMap<>();
  private Optional<StatementDigest> digest = Optional.empty();

  /// @param secrets draws the key of digests when there is none yet
  public MemoryChanges(MemoryRows rows, RandomGenerator secrets) {
    this.rows = rows;
    this.keys = rows.keys();
    this.secrets = secrets;
  }

  public List<Change> changes() {
    List<Change> all = new ArrayList<>(changes);
    digests.forEach((text, row) -> {
      all.add(written(keys.digest(text), row.latest().value()));
      all.add(written(keys.digestTimes(text), row.write()));
    });
    return List.copyOf(all);
  }

  /// Adds changes of rows that are no memories.
  public void addAll(List<Change> others) {
    changes.addAll(others);
  }

  /// Writes a memory.
  ///
  /// @param isNew whether its id was drawn for it
  public void put(MemoryRow row, boolean isNew) {
    String key = keys.memory(row.memory().id());
    changes.add(new Change.PutRecord(new StoredRecord(key, row.text()), isNew));
  }

  /// Keeps a former state of a memory.
  public void keep(MemoryState state) {
    MemoryId id = state.memory().id();
    List<StoredRecord> kept = rows.historyRows(id);
    long last = kept.isEmpty() ? 0 : keys.historyNumber(id, kept.getLast().key());
    for (int i = 0; i <= kept.size() - MAX_STATES; i++) {
      drop(kept.get(i).key());
    }
    put(keys.history(id, last + 1), StateJson.write(state.memory(), state.until(), state.reason()));
  }

  /// Writes a former state under a number of its own.
  public void putState(long number, MemoryState state) {
    put(
        keys.history(state.memory().id(), number),
        StateJson.write(state.memory(), state.until(), state.reason()));
  }

  /// Removes a former state.
  public void dropState(MemoryId id, long number) {
    drop(keys.history(id, number));
  }

  public void putUse(MemoryId id, MemoryUse use) {
    put(keys.use(id), UseJson.write(use));
  }

  public void putVector(MemoryId id, MemoryVector vector) {
    put(keys.vector(id), vector.write());
  }

  public void dropVector(MemoryId id) {
    drop(keys.vector(id));
  }

  public void dropTombstone(MemoryId id) {
    drop(keys.tombstone(id));
  }

  /// Removes a memory, its former states, its use and its vector.
  public void drop(MemoryId id) {
    drop(keys.memory(id));
    drop(keys.use(id));
    drop(keys.vector(id));
    rows.historyRows(id).forEach(row -> drop(row.key()));
  }

  /// Leaves a tombstone in place of a memory.
  ///
  /// @param memory empty when it cannot be read
  /// @param merged what was merged into it
  public void bury(
      Tombstone tombstone, Optional<MemoryRecord> memory, Collection<MemoryId> merged) {
    if (!tombstone.forgotten()) {
      put(keys.tombstone(tombstone.id()), tombstone.write(""));
      return;
    }
    bury(tombstone, memory.map(this::digest), Optional.of(tombstone.time()));
    // What the memory said before, and what was merged into it, must not come back either.
    for (MemoryState state : rows.history(tombstone.id())) {
      putDigest(digest(state.memory()), tombstone.id(), Optional.of(state.until()));
    }
    for (MemoryId part : merged) {
      // When it was merged, and so had its place for the last time, is not stored.
      bury(tombstone.of(part), rows.mergedDigest(part), /* placed= */ Optional.empty());
      drop(keys.merged(part));
    }
  }

  /// @param placed a time at which what was said had its place, if it is known
  private void bury(Tombstone tombstone, Optional<String> said, Optional<Instant> placed) {
    put(keys.tombstone(tombstone.id()), tombstone.write(said.orElse("")));
    said.ifPresent(text -> putDigest(text, tombstone.id(), placed));
  }

  /// Notes that a memory became a part of another one.
  public void putMerged(MemoryRecord memory, MemoryId into) {
    put(keys.merged(memory.id()), new MergeJson(into, Optional.of(digest(memory))).write());
  }

  /// Notes that a memory that was never stored here is a part of another one.
  public void putMerged(MemoryId id, MemoryId into) {
    put(keys.merged(id), new MergeJson(into, Optional.empty()).write());
  }

  public void dropMerged(MemoryId id) {
    drop(keys.merged(id));
  }

  public void putRevision(long revision) {
    put(keys.meta(), MemoryRows.revision(revision));
  }

  private void putDigest(String text, MemoryId id, Optional<Instant> placed) {
    // A row that cannot be read must not keep a memory from being deleted. It is written anew.
    DigestRow known = digests.computeIfAbsent(text, of -> rows.digestRow(of, () -> {}));
    digests.put(text, known.with(new DigestRow.Entry(id, placed)));
  }

  private String digest(MemoryRecord memory) {
    return digest().of(memory.place(), memory.content().text());
  }

  /// The key of digests. Draws one when there is none yet.
  public StatementDigest digest() {
    if (digest.isEmpty()) {
      digest = rows.digestKey();
    }
    if (digest.isEmpty()) {
      StatementDigest drawn = StatementDigest.draw(secrets);
      put(keys.digestKey(), MemoryRows.digestKey(drawn));
      digest = Optional.of(drawn);
    }
    return digest.get();
  }

  private void put(String key, String value) {
    changes.add(written(key, value));
  }

  private static Change written(String key, String value) {
    return new Change.PutRecord(new StoredRecord(key, value));
  }

  private void drop(String key) {
    changes.add(new Change.DropRecord(key));
  }
}
