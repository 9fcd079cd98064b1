package dev.agentmemory.recall.memory;

import dev.agentmemory.api.recall.ChannelName;
import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.api.recall.MemoryPlace;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.recall.MemoryPorts;
import dev.agentmemory.recall.RecallServices;
import dev.agentmemory.recall.SessionUsage;
import dev.agentmemory.recall.internal.rank.MemoryRelevance;
import dev.agentmemory.recall.internal.record.MemoryChanges;
import dev.agentmemory.recall.internal.record.MemoryJson.MemoryRow;
import dev.agentmemory.recall.internal.record.MemoryKeys;
import dev.agentmemory.recall.internal.record.MemoryRows;
import dev.agentmemory.recall.internal.record.StatementDigest;
import dev.agentmemory.recall.internal.record.Tombstones;
import dev.agentmemory.recall.internal.table.AccessCounts;
import dev.agentmemory.recall.internal.table.MemoryEntry;
import dev.agentmemory.recall.internal.table.MemoryTable;
import dev.agentmemory.recall.internal.table.NewMemory;
import dev.agentmemory.recall.masking.RecordErasure;
import dev.agentmemory.recall.masking.RecordMasking;
import dev.agentmemory.spi.Mutex;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.SessionId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// The memories of one workspace, or of the account, in a store.
///
/// The rows are the truth. The table in the heap has everything but the contents and is loaded on
/// first use. A change is checked against the table, committed, and then put into table and word
/// index, all while [#exclusive] is held; so a failed commit changes nothing. Readers take no part
/// in that lock.
///
/// Access counts are kept in the table and written by [#flush]; a crash loses those since the last
/// one.
public final class MemoryCollection implements AutoCloseable {

  /// Memories that are moved to another channel in a commit.
  private static final int MOVED = 500;

  private final RecallServices services;
  private final MemoryStore store;
  private final MemoryPorts ports;
  private final boolean account;
  private final Mutex lock;
  private final MemoryRows rows;
  private final IndexedWords words;
  private final AccessCounts accesses;
  private final Tombstones tombstones;
  private final PendingVectors vectors;
  private final MemoryWriter writer;
  private volatile @Nullable MemoryTable table;

  /// Of the rows, once the table is loaded. Guarded by the lock.
  private long revision;

  private volatile Runnable unflushed = () -> {};
  private volatile Runnable unembedded = () -> {};
  private volatile Runnable added = () -> {};

  private MemoryCollection(
      RecallServices services,
      MemoryStore store,
      MemoryKeys keys,
      Mutex lock,
      MemoryPorts ports,
      boolean account) {
    this.services = services;
    this.store = store;
    this.ports = ports;
    this.account = account;
    this.lock = lock;
    this.rows = new MemoryRows(store, keys, services.config().checksums());
    this.words = new IndexedWords(ports.words());
    this.accesses = new AccessCounts(store, rows, services.secrets());
    this.tombstones = new Tombstones(rows, ports.sessions().channels());
    this.vectors = new PendingVectors(this, ports.embedder());
    this.writer = new MemoryWriter(this, services, ports.sessions());
  }

  /// The memories of a workspace. Nothing is read yet.
  ///
  /// @param owner empty in a store of one workspace; else `@`, the workspace's name and `/`
  /// @param lock of everything that is written of curated memories in the workspace
  public static MemoryCollection ofWorkspace(
      RecallServices services, MemoryStore store, String owner, Mutex lock, MemoryPorts ports) {
    return new MemoryCollection(
        services, store, new MemoryKeys(owner), lock, ports, /* account= */ false);
  }

  /// The memories of the account, which belong to no workspace, session or channel and get no
  /// vectors.
  public static MemoryCollection ofAccount(
      RecallServices services, MemoryStore store, MemoryPorts ports) {
    return new MemoryCollection(
        services, store, new MemoryKeys(""), new Mutex(), ports, /* account= */ true);
  }

  public boolean isAccount() {
    return account;
  }

  public MemoryRows rows() {
    return rows;
  }

  /// Everything but the contents. The first call reads all rows.
  public MemoryTable table() {
    MemoryTable loaded = table;
    if (loaded != null) {
      return loaded;
    }
    try (var _ = exclusive()) {
      loaded = table;
      if (loaded == null) {
        loaded = load();
        revision = rows.revision();
        words.compare(revision);
        table = loaded;
      }
      return loaded;
    }
  }

  private MemoryTable load() {
    var fresh = new MemoryTable();
    rows.forEachMemory(
        stored -> fresh.put(MemoryEntry.of(stored.memory(), stored.bytes())), fresh::addCorrupt);
    rows.forEachUse((id, use) -> fresh.change(id, entry -> entry.withUse(use)));
    rows.forEachVector(
        (id, vector) -> fresh.change(id, entry -> entry.withVector(Optional.of(vector))));
    rows.forEachMerged(fresh::addMerged);
    return fresh;
  }

  /// Sets what is run when something waits for [#flush]. It must return at once.
  public void whenUnflushed(Runnable action) {
    unflushed = action;
  }

  /// Sets what is run when a memory was written that waits for a vector. It must return at once.
  public void whenUnembedded(Runnable action) {
    unembedded = action;
  }

  /// Sets what is run when a caller adds memories. It must return at once.
  public void whenAdded(Runnable action) {
    added = action;
  }

  /// Locks the memories for writing. Checks and the commit that relies on them are done while it is
  /// held. What was queued for the word index is applied after the release, if it is much.
  public Mutex.Held exclusive() {
    Mutex.Held held = lock.hold();
    return () -> {
      held.close();
      if (!lock.isHeld()) {
        words.applyMany();
      }
    };
  }

  /// Writes a batch: all of it or nothing, durable when the call returns.
  public void commit(MemoryBatch batch) {
    if (batch.isEmpty()) {
      return;
    }
    boolean pending;
    try (var _ = exclusive()) {
      MemoryTable known = table();
      var changes = new MemoryChanges(rows, services.secrets());
      var prepared = new BatchCommit(batch, known, rows, changes);
      prepared.prepare();
      long next = revision;
      if (batch.changesWords()) {
        next++;
        changes.putRevision(next);
      }
      store.commit(Commit.of(changes.changes()));
      revision = next;
      known.apply(prepared.changed());
      words.queue(prepared.docs(), prepared.removed());
      pending = prepared.changed().put().stream().anyMatch(vectors::isPending);
    }
    unflushed.run();
    if (pending) {
      unembedded.run();
    }
  }

  /// Masks secrets in the rows of a store that has no other memories. For the account.
  ///
  /// @param dryRun whether only to count
  /// @param begin run before each commit
  public void mask(RecordMasking masking, boolean dryRun, Runnable begin) {
    masking.run(
        store,
        this::exclusive,
        changes -> {
          if (!dryRun) {
            begin.run();
            store.commit(Commit.of(changes));
          }
        });
  }

  /// Deletes memories so that neither they nor what they say comes back, whoever made them.
  public void erase(Set<MemoryId> ids) {
    writer.erase(ids);
  }

  /// The rows besides those of memories that may have something of erased ones.
  public RecordErasure records() {
    return new RecordErasure(store, this::exclusive, rows.keys().owner());
  }

  /// Reads the rows again after they were changed elsewhere, and builds the word index again.
  public void reload() {
    try (var _ = exclusive()) {
      MemoryTable known = table;
      if (known != null) {
        accesses.write(known);
      }
      table = null;
      var _ = rebuildIndex();
      // A reader of the former index would keep its files.
      var _ = words.match("*", _ -> true, 1);
    }
    unembedded.run();
  }

  /// Leaves nothing in the files of the word index of memories that were removed or replaced.
  ///
  /// @return whether that is so; else it has to be called again
  public boolean purgeWords() {
    long reached = writeCounts(table());
    if (!words.isInStep()) {
      var _ = rebuildIndex(/* always= */ false);
    }
    words.commit(reached);
    return words.purge();
  }

  /// Removes what rows were before from the files of the store.
  public void compact() {
    store.compact();
  }

  /// The relevance of memories at a time.
  public MemoryRelevance relevance(Instant time) {
    return new MemoryRelevance(services.config().decay(), ports.sessions().decay(), time);
  }

  /// Reads a memory. One that cannot be read is noted, so that answers can say so.
  ///
  /// @return empty when it is gone or cannot be read
  public Optional<MemoryRecord> read(MemoryEntry entry) {
    try {
      return Optional.of(get(entry.id()));
    } catch (MemoryException e) {
      if (e.code() != ErrorCode.NOT_FOUND) {
        e.rethrowUnless(ErrorCode.CORRUPT_RECORD);
      }
      return Optional.empty();
    }
  }

  /// Reads a memory, or the one that it was merged into. Does not count as access.
  ///
  /// @throws MemoryException `NOT_FOUND`; `CORRUPT_RECORD`
  public MemoryRecord get(MemoryId id) {
    MemoryTable known = table();
    MemoryId found = known.resolved(id);
    try {
      Optional<MemoryRecord> memory = rows.memory(found);
      Optional<MemoryEntry> entry = known.entry(found);
      if (memory.isEmpty() || entry.isEmpty()) {
        throw missing(id);
      }
      return current(memory.get(), entry.get());
    } catch (MemoryException e) {
      if (e.code() == ErrorCode.CORRUPT_RECORD) {
        known.addCorrupt(found);
      }
      throw e;
    }
  }

  static MemoryException missing(MemoryId id) {
    return new MemoryException(
        ErrorCode.NOT_FOUND, "memory %s does not exist, or was deleted".formatted(id));
  }

  /// A memory of this collection with the state of its vector, which is in no row.
  MemoryRecord withVectorState(MemoryRecord memory) {
    Optional<MemoryEntry> entry = table().entry(memory.id());
    return entry
        .map(one -> memory.withEmbedding(one.embedding(ports.embedder().model())))
        .orElse(memory);
  }

  /// A memory with its use and the state of its vector.
  MemoryRecord current(MemoryRecord memory, MemoryEntry entry) {
    return memory.withUse(entry.use()).withEmbedding(entry.embedding(ports.embedder().model()));
  }

  /// Whether a memory, or what it was merged into, is there; also one that cannot be read.
  public boolean has(MemoryId id) {
    MemoryTable known = table();
    return known.find(id).isPresent() || known.isCorrupt(known.resolved(id));
  }

  /// Whether a memory has ever had an id: it is there, was merged, or was removed.
  public boolean hasHad(MemoryId id) {
    return has(id) || table().isMerged(id) || rows.tombstone(id).isPresent();
  }

  /// Stores memories that are neither known nor deleted, and passes the others over: for what
  /// derives memories and may derive the same ones again.
  ///
  /// @return what became of each, in order
  public List<AddOutcome> addMissing(List<MemoryDraft> drafts) {
    return writer.add(drafts, /* strict= */ false, _ -> false);
  }

  /// @param elsewhere whether a memory exists outside of this collection
  List<MemoryRecord> add(List<MemoryDraft> drafts, Predicate<MemoryId> elsewhere) {
    added.run();
    return writer.add(drafts, /* strict= */ true, elsewhere).stream()
        .map(AddOutcome::stored)
        .flatMap(Optional::stream)
        .toList();
  }

  /// Lets a session make space before memories are added to it. To be called with nothing locked.
  ///
  /// @param added bytes of their rows
  public void makeSpace(SessionId session, long added) {
    writer.makeSpace(session, added);
  }

  /// The limits of one call that adds memories. To be used while [#exclusive] is held.
  public WriteLimits limits() {
    return writer.limits();
  }

  /// A batch that adds memories which are not stored, together with what they replace and what
  /// replaces them. To be used while [#exclusive] is held.
  ///
  /// @param now noted as the end of the states that are replaced
  public MemoryBatch superseding(Collection<MemoryRow> rows, Instant now) {
    var batch = new MemoryBatch();
    List<NewMemory> added =
        rows.stream().map(row -> NewMemory.of(row, /* isDrawn= */ false)).toList();
    var _ = new Supersession(this, now).add(added, batch);
    return batch;
  }

  /// Hashes texts with a key of this store, so that a text cannot be guessed from its hash.
  public UnaryOperator<String> keyedHash() {
    try (var _ = exclusive()) {
      var changes = new MemoryChanges(rows, services.secrets());
      StatementDigest key = changes.digest();
      if (!changes.changes().isEmpty()) {
        store.commit(Commit.of(changes.changes()));
      }
      return key::hash;
    }
  }

  MemoryWriter writer() {
    return writer;
  }

  /// A memory under the present name of its channel. Whoever writes it calls this while
  /// [#exclusive] is held, as a rename before that has moved the memories which were there.
  ///
  /// @return the same memory unless the channel was renamed; else one whose checksum does not fit
  public MemoryRecord inPresentChannel(MemoryRecord memory) {
    MemoryPlace place = memory.place();
    return place
        .channel()
        .map(ports.sessions().channels()::presentName)
        .filter(name -> !place.channel().equals(Optional.of(name)))
        .map(name -> memory.withPlace(place.moved(name)))
        .orElse(memory);
  }

  /// What callers have deleted, so that nothing may bring it back.
  public Tombstones tombstones() {
    return tombstones;
  }

  /// Counts an access to memories, in the heap.
  void count(Collection<MemoryId> ids, Instant time) {
    accesses.add(table(), ids, time);
    if (!ids.isEmpty()) {
      unflushed.run();
    }
  }

  /// Writes access counts. Makes the word index durable when no memory was written since the last
  /// call, and at every tenth call. To be called every `recall.access_flush`.
  public void flush() {
    MemoryTable known = table;
    if (known != null && !words.settle(writeCounts(known))) {
      unflushed.run();
    }
  }

  /// @return revision of the rows
  private long writeCounts(MemoryTable known) {
    try (var _ = exclusive()) {
      accesses.write(known);
      return revision;
    }
  }

  /// Computes the vectors of the latest memories that have none of the current model, at most 50.
  ///
  /// @return how many; 0 when none is left, and without a provider
  /// @throws MemoryException of the kind `UNAVAILABLE` when the model cannot be asked now
  public int embedPending() {
    return account ? 0 : vectors.embed();
  }

  /// How many memories wait for a vector; 0 without a provider.
  public long pendingVectors() {
    return account ? 0 : vectors.pending();
  }

  PendingVectors vectors() {
    return vectors;
  }

  /// Finds memories by words, the best first.
  List<MemoryId> matchWords(String query, Predicate<MemoryId> allowed, int limit) {
    MemoryTable known = table();
    if (known.size() == 0) {
      return List.of();
    }
    if (words.isInStep()) {
      Optional<List<MemoryId>> found = words.match(query, allowed, limit);
      if (found.isPresent()) {
        return found.get();
      }
    }
    var _ = rebuildIndex(/* always= */ false);
    return words
        .match(query, allowed, limit)
        .orElseThrow(() ->
            new MemoryException(
                ErrorCode.STORAGE_FAILED,
                "the index of memories' words cannot be used; see the daemon's log"));
  }

  /// Builds the word index again.
  ///
  /// @return how many memories it has
  public long rebuildIndex() {
    return rebuildIndex(/* always= */ true);
  }

  /// @param always also when another thread has built it meanwhile
  private long rebuildIndex(boolean always) {
    MemoryTable known = table();
    try (var _ = exclusive()) {
      return always || !words.isInStep() ? words.rebuild(rows) : known.size();
    }
  }

  /// The memories that come from a session.
  public SessionUsage usage(SessionId session) {
    return table().usage(session);
  }

  /// Bytes of the memories that come from a session, which its quota limits.
  public long bytes(SessionId session) {
    return table().bytes(session);
  }

  /// Whether a scope has so many more memories than its cap that consolidation should not wait for
  /// its time: all of them but their contents are in the heap.
  public boolean exceedsCap() {
    long cap = services.config().consolidation().scopeCap();
    return table().hasScopeOver(cap + cap / 4);
  }

  /// The channels that memories name, with the time of the earliest memory of each.
  public Map<ChannelName, Instant> channels() {
    Map<ChannelName, Instant> channels = new HashMap<>();
    for (MemoryEntry entry : table().copy()) {
      entry
          .place()
          .channel()
          .ifPresent(name ->
              channels.merge(
                  name,
                  entry.validity().created(),
                  (one, other) -> one.isBefore(other) ? one : other));
    }
    return channels;
  }

  /// Moves the memories of a channel to another one, in several commits. Calling it again finishes
  /// what was cut off.
  public void renameChannel(ChannelName from, ChannelName to) {
    try (var _ = exclusive()) {
      List<MemoryEntry> moved =
          table().copy().stream()
              .filter(entry -> entry.place().channel().equals(Optional.of(from)))
              .toList();
      for (int i = 0; i < moved.size(); i += MOVED) {
        var batch = new MemoryBatch();
        for (MemoryEntry entry : moved.subList(i, Math.min(moved.size(), i + MOVED))) {
          read(entry).ifPresent(memory -> batch.put(memory.withPlace(memory.place().moved(to))));
        }
        commit(batch);
      }
    }
  }

  /// How many memories there are, superseded ones included; 0 before memories are asked for.
  public long size() {
    MemoryTable known = table;
    return known == null ? 0 : known.size();
  }

  /// How many memories cannot be read; 0 before memories are asked for.
  public long unreadable() {
    MemoryTable known = table;
    return known == null ? 0 : known.corrupt().size();
  }

  /// How many runs of upkeep cannot be read; 0 before the log of upkeep is.
  public long unreadableRuns() {
    return rows.unreadableRuns().count();
  }

  /// What status says of runs that cannot be read.
  public static Optional<String> runProblem(long runs) {
    return runs == 0
        ? Optional.empty()
        : Optional.of(
            ("%d runs of consolidation or compaction cannot be read, so they are not listed and"
                    + " cannot be undone; the daemon's log names them; restore them from a backup")
                .formatted(runs));
  }

  /// All memories, the latest first. Those that cannot be read are left out.
  public List<MemoryEntry> entries() {
    List<MemoryEntry> entries = new ArrayList<>(table().copy());
    entries.sort(MemoryEntry.LATEST_FIRST);
    return entries;
  }

  /// Writes access counts and closes the word index. The store stays open.
  @Override
  public void close() {
    try {
      MemoryTable known = table;
      if (known != null) {
        words.commit(writeCounts(known));
      }
    } finally {
      words.close();
    }
  }
}
