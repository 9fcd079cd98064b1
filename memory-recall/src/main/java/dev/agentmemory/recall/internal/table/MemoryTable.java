package dev.agentmemory.recall.internal.table;

import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.recall.SessionUsage;
import dev.agentmemory.spi.Mutex;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.SessionId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/// The memories of a workspace or the account without what they say. Filters and relevance need
/// nothing else, so a search reads only the rows that it shows.
///
/// Readers share a lock, and a writer takes it alone only to put in what is durable already. So a
/// search never waits for the disk, and sees all of a commit or nothing. A method that is called
/// while [#reading] is held sees the same state.
public final class MemoryTable {

  private final ReadWriteLock lock = new ReentrantReadWriteLock();
  private final Map<MemoryId, MemoryEntry> entries = new HashMap<>();
  private final Map<MemoryId, MemoryId> merged = new HashMap<>();

  /// Those that a memory has replaced.
  private final Map<MemoryId, Set<MemoryId>> replaced = new HashMap<>();

  private final SubjectIndex subjects = new SubjectIndex();
  private final Map<ScopeInstance, ScopeCount> scopes = new HashMap<>();
  private final Map<SessionId, List<MemoryId>> sessions = new HashMap<>();
  private final Map<SessionId, Long> sessionBytes = new HashMap<>();
  private final Set<MemoryId> corrupt = new LinkedHashSet<>();

  /// How many memories a scope has.
  ///
  /// @param exempt of them are pinned or preferences
  public record ScopeCount(long all, long exempt) {

    private static final ScopeCount NONE = new ScopeCount(0, 0);

    private ScopeCount plus(MemoryEntry entry, int sign) {
      return new ScopeCount(all + sign, exempt + (entry.isExempt() ? sign : 0));
    }
  }

  /// Keeps the state as it is until the result is closed. Nothing may be changed meanwhile on the
  /// same thread.
  public Mutex.Held reading() {
    return Mutex.hold(lock.readLock());
  }

  private Mutex.Held writing() {
    return Mutex.hold(lock.writeLock());
  }

  /// The memory with exactly this id.
  public Optional<MemoryEntry> entry(MemoryId id) {
    try (var _ = reading()) {
      return Optional.ofNullable(entries.get(id));
    }
  }

  /// The memory with this id, or the one that it was merged into.
  public Optional<MemoryEntry> find(MemoryId id) {
    try (var _ = reading()) {
      return Optional.ofNullable(entries.get(resolved(id)));
    }
  }

  /// The id of what a memory was merged into, after any number of merges; else the same id.
  public MemoryId resolved(MemoryId id) {
    try (var _ = reading()) {
      MemoryId found = id;
      // A chain is as long as the number of merges at most, also if rows were damaged.
      for (int i = 0; i < merged.size() && merged.containsKey(found); i++) {
        found = merged.getOrDefault(found, found);
      }
      return found;
    }
  }

  /// Whether a memory was merged into another one.
  public boolean isMerged(MemoryId id) {
    try (var _ = reading()) {
      return merged.containsKey(id);
    }
  }

  /// What was merged into a memory, directly or not.
  public List<MemoryId> mergedInto(MemoryId id) {
    try (var _ = reading()) {
      return merged.keySet().stream().filter(part -> resolved(part).equals(id)).sorted().toList();
    }
  }

  /// All memories, in no order. To be used while [#reading] is held.
  public Collection<MemoryEntry> entries() {
    return entries.values();
  }

  /// All memories, in no order, as they are now.
  public List<MemoryEntry> copy() {
    try (var _ = reading()) {
      return List.copyOf(entries.values());
    }
  }

  public int size() {
    try (var _ = reading()) {
      return entries.size();
    }
  }

  /// What a memory, or one that was merged into it, has replaced directly.
  public Set<MemoryId> replacedBy(MemoryId id) {
    try (var _ = reading()) {
      Set<MemoryId> all = new LinkedHashSet<>(replaced.getOrDefault(id, Set.of()));
      if (!merged.isEmpty()) {
        mergedInto(id).forEach(part -> all.addAll(replaced.getOrDefault(part, Set.of())));
      }
      return all;
    }
  }

  /// The memories of the same scope that share most words with a memory, the most similar first.
  /// The memory need not be in the table; it is not in the result.
  public List<MemoryEntry> alike(MemoryEntry entry, int limit) {
    try (var _ = reading()) {
      return subjects.alike(entry, limit).stream().flatMap(id -> entry(id).stream()).toList();
    }
  }

  public ScopeCount count(ScopeInstance scope) {
    try (var _ = reading()) {
      return scopes.getOrDefault(scope, ScopeCount.NONE);
    }
  }

  /// Whether a scope has more memories than this, of which some are not exempt from the cap.
  public boolean hasScopeOver(long most) {
    try (var _ = reading()) {
      return scopes.values().stream()
          .anyMatch(count -> count.all() > most && count.all() > count.exempt());
    }
  }

  /// Bytes of the memories that come from a session.
  public long bytes(SessionId session) {
    try (var _ = reading()) {
      return sessionBytes.getOrDefault(session, 0L);
    }
  }

  /// The memories that come from a session, in no order.
  public List<MemoryEntry> ofSession(SessionId session) {
    try (var _ = reading()) {
      return sessions.getOrDefault(session, List.of()).stream()
          .flatMap(id -> entry(id).stream())
          .toList();
    }
  }

  public SessionUsage usage(SessionId session) {
    try (var _ = reading()) {
      List<MemoryEntry> entries = ofSession(session);
      Map<MemoryKind, Long> kinds = new HashMap<>();
      entries.forEach(entry -> kinds.merge(entry.kind(), 1L, Long::sum));
      List<Instant> created = entries.stream().map(entry -> entry.validity().created()).toList();
      Stream<Instant> accesses =
          entries.stream().flatMap(entry -> entry.use().lastAccess().stream());
      return new SessionUsage(
          kinds,
          bytes(session),
          created.stream().min(Comparator.naturalOrder()),
          created.stream().max(Comparator.naturalOrder()),
          accesses.max(Comparator.naturalOrder()));
    }
  }

  /// Memories whose row cannot be read.
  public Set<MemoryId> corrupt() {
    try (var _ = reading()) {
      return Set.copyOf(corrupt);
    }
  }

  public boolean isCorrupt(MemoryId id) {
    try (var _ = reading()) {
      return corrupt.contains(id);
    }
  }

  /// Notes that the row of a memory cannot be read. Nothing else is known of it from then on.
  public void addCorrupt(MemoryId id) {
    try (var _ = writing()) {
      remove(id);
      corrupt.add(id);
    }
  }

  public void addMerged(MemoryId id, MemoryId into) {
    try (var _ = writing()) {
      merged.put(id, into);
    }
  }

  /// Puts a memory in; one with a known id is replaced.
  public void put(MemoryEntry added) {
    try (var _ = writing()) {
      remove(added.id());
      MemoryEntry entry = withSharedPlace(added);
      entries.put(entry.id(), entry);
      subjects.add(entry);
      account(entry, 1);
      entry
          .place()
          .session()
          .ifPresent(session ->
              sessions.computeIfAbsent(session, _ -> new ArrayList<>(1)).add(entry.id()));
      entry
          .validity()
          .supersededBy()
          .ifPresent(current ->
              replaced.computeIfAbsent(current, _ -> new LinkedHashSet<>()).add(entry.id()));
    }
  }

  /// Most memories of a session have the same place, of which one object is kept.
  private MemoryEntry withSharedPlace(MemoryEntry entry) {
    return entry
        .place()
        .session()
        .flatMap(session -> Optional.ofNullable(sessions.get(session)))
        .map(others -> entries.get(others.getFirst()))
        .map(MemoryEntry::place)
        .filter(entry.place()::equals)
        .map(entry::withPlace)
        .orElse(entry);
  }

  /// Changes a memory in a way that concerns neither its place nor its validity; does nothing when
  /// it is gone.
  public void change(MemoryId id, UnaryOperator<MemoryEntry> change) {
    try (var _ = writing()) {
      entries.computeIfPresent(id, (_, entry) -> change.apply(entry));
    }
  }

  private void remove(MemoryId id) {
    corrupt.remove(id);
    MemoryEntry former = entries.remove(id);
    if (former == null) {
      return;
    }
    subjects.remove(former);
    account(former, -1);
    former.place().session().ifPresent(session -> removeFrom(sessions, session, id));
    former.validity().supersededBy().ifPresent(current -> removeFrom(replaced, current, id));
  }

  private static <K, C extends Collection<MemoryId>> void removeFrom(
      Map<K, C> groups, K key, MemoryId id) {
    groups.computeIfPresent(
        key,
        (_, ids) -> {
          ids.remove(id);
          return ids.isEmpty() ? null : ids;
        });
  }

  private void account(MemoryEntry entry, int sign) {
    ScopeInstance scope = ScopeInstance.of(entry.place());
    ScopeCount count = scopes.getOrDefault(scope, ScopeCount.NONE).plus(entry, sign);
    scopes.put(scope, count);
    if (count.all() == 0) {
      scopes.remove(scope);
    }
    entry
        .place()
        .session()
        .ifPresent(session ->
            sessionBytes.merge(
                session,
                (long) sign * entry.bytes(),
                (one, other) -> one + other == 0 ? null : one + other));
  }

  /// What a commit changed.
  ///
  /// @param put memories as they are now
  /// @param used those of them whose use was set; others keep the use that they have meanwhile
  /// @param removed memories that are gone
  /// @param merged which memories were merged into which
  /// @param unmerged which are not merged any more
  public record Changed(
      List<MemoryEntry> put,
      Set<MemoryId> used,
      Collection<MemoryId> removed,
      Map<MemoryId, MemoryId> merged,
      Collection<MemoryId> unmerged) {}

  /// Puts in what a commit changed; no reader sees a part of it.
  public void apply(Changed changed) {
    try (var _ = writing()) {
      changed.removed().forEach(this::remove);
      changed.unmerged().forEach(merged::remove);
      merged.putAll(changed.merged());
      for (MemoryEntry entry : changed.put()) {
        Optional<MemoryEntry> known = entry(entry.id());
        boolean keeps = known.isPresent() && !changed.used().contains(entry.id());
        put(keeps ? entry.withUse(known.get().use()) : entry);
      }
    }
  }
}
