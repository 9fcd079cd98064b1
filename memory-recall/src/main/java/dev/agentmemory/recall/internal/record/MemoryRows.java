package dev.agentmemory.recall.internal.record;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentmemory.api.recall.MemoryPlace;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.MemoryState;
import dev.agentmemory.api.recall.MemoryUse;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.store.record.StoredRecord;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/// Reads the rows of the memories of a workspace or the account.
public final class MemoryRows {

  /// Rows that are in memory at the same time; a memory has up to 1 MB.
  private static final int PAGE = 64;

  private final MemoryStore store;
  private final MemoryKeys keys;
  private final MemoryJson json;
  private final boolean verify;
  private final UnreadableRows unreadable = new UnreadableRows();
  private final UnreadableRows unreadableRuns = new UnreadableRows();

  /// @param verify whether checksums have to match
  public MemoryRows(MemoryStore store, MemoryKeys keys, boolean verify) {
    this(store, keys, MemoryJson.CURRENT, verify);
  }

  MemoryRows(MemoryStore store, MemoryKeys keys, MemoryJson json, boolean verify) {
    this.store = store;
    this.keys = keys;
    this.json = json;
    this.verify = verify;
  }

  public MemoryKeys keys() {
    return keys;
  }

  /// The log of upkeep.
  public RunRows runs() {
    return new RunRows(store, keys, json, verify, unreadableRuns);
  }

  /// Runs of upkeep that were passed over.
  public UnreadableRows unreadableRuns() {
    return unreadableRuns;
  }

  /// The preferences that workspaces state, by the hash of what they say. For the account.
  public Map<String, StatedPreference> statedPreferences() {
    Map<String, StatedPreference> stated = new TreeMap<>();
    String prefix = keys.statedPreferences();
    scan(
        prefix,
        row ->
            stated.put(row.key().substring(prefix.length()), StatedPreference.read(row.value())));
    return stated;
  }

  /// Rows that were passed over.
  public UnreadableRows unreadable() {
    return unreadable;
  }

  /// A memory that was never read and has no vector: those are rows of their own.
  ///
  /// @throws MemoryException `CORRUPT_RECORD`
  public Optional<MemoryRecord> memory(MemoryId id) {
    String key = keys.memory(id);
    try {
      return row(key).map(row -> read(id, row));
    } catch (MemoryException e) {
      e.rethrowUnless(ErrorCode.CORRUPT_RECORD);
      unreadable.add(key, e);
      throw new MemoryException(
          ErrorCode.CORRUPT_RECORD,
          "memory %s cannot be read: %s".formatted(id, e.getMessage()),
          e);
    }
  }

  /// A memory and the bytes of its row.
  public record StoredMemory(MemoryRecord memory, int bytes) {}

  /// Passes all memories on, by id.
  ///
  /// @param corrupt receives those that are passed over
  public void forEachMemory(Consumer<StoredMemory> memories, Consumer<MemoryId> corrupt) {
    scan(
        keys.memories(),
        row -> {
          MemoryId id = MemoryKeys.id(keys.memories(), row.key());
          MemoryRecord memory;
          try {
            memory = read(id, row.value());
          } catch (MemoryException e) {
            corrupt.accept(id);
            throw e;
          }
          memories.accept(new StoredMemory(memory, Utf8.length(row.value())));
        });
  }

  /// Passes the rows of all memories on as they are, by id.
  public void forEachRow(Consumer<StoredRecord> rows) {
    scan(keys.memories(), rows);
  }

  /// Reads a row of [#forEachRow], on any thread.
  ///
  /// @return empty when it cannot be read, which is noted
  public Optional<MemoryRecord> readable(StoredRecord row) {
    try {
      return Optional.of(read(MemoryKeys.id(keys.memories(), row.key()), row.value()));
    } catch (MemoryException e) {
      e.rethrowUnless(ErrorCode.CORRUPT_RECORD);
      unreadable.add(row.key(), e);
      return Optional.empty();
    }
  }

  private MemoryRecord read(MemoryId id, String row) {
    MemoryRecord memory = json.read(row, verify);
    if (!memory.id().equals(id)) {
      throw RecordJson.corrupt("the row of %s holds memory %s".formatted(id, memory.id()));
    }
    return memory;
  }

  /// Passes on how memories were read.
  public void forEachUse(BiConsumer<MemoryId, MemoryUse> uses) {
    scan(
        keys.uses(),
        row -> uses.accept(MemoryKeys.id(keys.uses(), row.key()), UseJson.read(row.value())));
  }

  /// Passes all vectors on.
  public void forEachVector(BiConsumer<MemoryId, MemoryVector> vectors) {
    scan(
        keys.vectors(),
        row ->
            vectors.accept(
                MemoryKeys.id(keys.vectors(), row.key()), MemoryVector.read(row.value())));
  }

  /// Passes on which memories were merged into which.
  public void forEachMerged(BiConsumer<MemoryId, MemoryId> merged) {
    scan(
        keys.allMerged(),
        row ->
            merged.accept(
                MemoryKeys.id(keys.allMerged(), row.key()), MergeJson.read(row.value()).into()));
  }

  /// The digest of what a merged memory said.
  Optional<String> mergedDigest(MemoryId id) {
    return row(keys.merged(id)).map(MergeJson::read).flatMap(MergeJson::digest);
  }

  /// The former states of a memory, the oldest first.
  public List<MemoryState> history(MemoryId id) {
    List<MemoryState> states = new ArrayList<>();
    scan(keys.history(id), row -> states.add(StateJson.read(json, row.value(), verify)));
    return states;
  }

  /// Passes on the former states of a memory with their numbers, the oldest first.
  ///
  /// @param corrupt run for each that is passed over
  public void forEachState(MemoryId id, BiConsumer<Long, MemoryState> states, Runnable corrupt) {
    scan(
        keys.history(id),
        row -> {
          MemoryState state;
          try {
            state = StateJson.read(json, row.value(), verify);
          } catch (MemoryException e) {
            corrupt.run();
            throw e;
          }
          states.accept(keys.historyNumber(id, row.key()), state);
        });
  }

  /// The former states of a memory that are stored: their numbers, and the checksum of what each
  /// says; empty for one that cannot be read.
  public NavigableMap<Long, String> stateChecksums(MemoryId id) {
    NavigableMap<Long, String> checksums = new TreeMap<>();
    for (StoredRecord row : historyRows(id)) {
      checksums.put(keys.historyNumber(id, row.key()), "");
    }
    forEachState(id, (number, state) -> checksums.put(number, state.memory().checksum()), () -> {});
    return checksums;
  }

  /// Passes on the tombstones, by id.
  public void forEachTombstone(Consumer<Tombstone> tombstones) {
    scan(keys.tombstones(), row -> tombstones.accept(Tombstone.read(row.value())));
  }

  /// The rows of the former states of a memory, the oldest first.
  public List<StoredRecord> historyRows(MemoryId id) {
    List<StoredRecord> rows = new ArrayList<>();
    scan(keys.history(id), rows::add);
    return rows;
  }

  /// The rows of a memory as they are: itself, its use, its vector and its former states. For the
  /// log of what upkeep changes.
  public List<StoredRecord> rowsOf(MemoryId id) {
    List<StoredRecord> all = new ArrayList<>();
    for (String key : List.of(keys.memory(id), keys.use(id), keys.vector(id))) {
      row(key).ifPresent(value -> all.add(new StoredRecord(key, value)));
    }
    all.addAll(historyRows(id));
    return all;
  }

  /// The oldest state that is kept; empty when the memory has never changed.
  ///
  /// @throws MemoryException `CORRUPT_RECORD`
  public Optional<MemoryRecord> oldestState(MemoryId id) {
    return store.records().records(keys.history(id), Optional.empty(), 1).stream()
        .findFirst()
        .map(row -> StateJson.read(json, row.value(), verify).memory());
  }

  public Optional<Tombstone> tombstone(MemoryId id) {
    return row(keys.tombstone(id)).map(Tombstone::read);
  }

  /// A deletion by a caller of what a text says.
  ///
  /// @param deleted when
  /// @param placed a time at which what was deleted had the place that was asked for
  public record ForgottenText(Instant deleted, Instant placed) {}

  /// The deletions by callers of what a text says there; empty when there is none. Those that
  /// cannot be read are one that always applies.
  public List<ForgottenText> forgotten(MemoryPlace place, String text) {
    return digestKey().map(key -> forgotten(key.of(place, text))).orElse(List.of());
  }

  private List<ForgottenText> forgotten(String digest) {
    List<ForgottenText> all = new ArrayList<>();
    DigestRow row = digestRow(digest, () -> all.add(new ForgottenText(Instant.MAX, Instant.MIN)));
    row.entries().forEach(entry -> all.add(forgotten(entry)));
    return all;
  }

  /// Where it is not known when the text had its place, the earliest time that is possible is
  /// taken, and the latest one for a deletion of which nothing is known: nothing may come back.
  private ForgottenText forgotten(DigestRow.Entry entry) {
    Instant deleted =
        readable(keys.tombstone(entry.tombstone()), Tombstone::read, () -> {})
            .map(Tombstone::time)
            .orElse(Instant.MAX);
    Instant made = entry.tombstone().embeddedTime();
    return new ForgottenText(
        deleted, entry.placed().orElse(made.isBefore(deleted) ? made : deleted));
  }

  /// The deletions that have a digest.
  ///
  /// @param corrupt run for each row of the digest that is passed over
  DigestRow digestRow(String digest, Runnable corrupt) {
    DigestRow all =
        readable(keys.digestTimes(digest), DigestRow::read, corrupt).orElse(DigestRow.NONE);
    return readable(keys.digest(digest), DigestRow::id, corrupt).map(all::withLatest).orElse(all);
  }

  /// @return empty when there is no such row, or it cannot be read, which is noted
  private <T> Optional<T> readable(String key, Function<String, T> form, Runnable corrupt) {
    try {
      return row(key).map(form);
    } catch (MemoryException e) {
      e.rethrowUnless(ErrorCode.CORRUPT_RECORD);
      unreadable.add(key, e);
      corrupt.run();
      return Optional.empty();
    }
  }

  /// The key of digests; empty when none was needed yet.
  Optional<StatementDigest> digestKey() {
    return row(keys.digestKey())
        .map(RecordJson::parse)
        .map(object -> new StatementDigest(RecordJson.text(object, "key")));
  }

  /// How often memories were changed; 0 when never.
  public long revision() {
    return row(keys.meta())
        .map(RecordJson::parse)
        .map(object -> RecordJson.number(object, "revision"))
        .orElse(0L);
  }

  static String revision(long revision) {
    ObjectNode object = RecordJson.object();
    return RecordJson.write(object.put("schema_version", 1).put("revision", revision));
  }

  static String digestKey(StatementDigest digest) {
    ObjectNode object = RecordJson.object();
    return RecordJson.write(object.put("schema_version", 1).put("key", digest.key()));
  }

  private Optional<String> row(String key) {
    return store.records().record(key);
  }

  private void scan(String prefix, Consumer<StoredRecord> each) {
    Optional<String> after = Optional.empty();
    List<StoredRecord> page;
    do {
      page = store.records().records(prefix, after, PAGE);
      for (StoredRecord row : page) {
        try {
          each.accept(row);
        } catch (MemoryException e) {
          e.rethrowUnless(ErrorCode.CORRUPT_RECORD);
          unreadable.add(row.key(), e);
        }
      }
      after = page.isEmpty() ? after : Optional.of(page.getLast().key());
    } while (page.size() == PAGE);
  }
}
