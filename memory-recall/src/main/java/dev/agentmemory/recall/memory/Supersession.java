package dev.agentmemory.recall.memory;

import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.Validity;
import dev.agentmemory.recall.internal.record.MemoryJson;
import dev.agentmemory.recall.internal.record.MemoryJson.MemoryRow;
import dev.agentmemory.recall.internal.table.MemoryEntry;
import dev.agentmemory.recall.internal.table.MemoryTable;
import dev.agentmemory.recall.internal.table.NewMemory;
import dev.agentmemory.recall.internal.table.StatedWords;
import dev.agentmemory.recall.truth.Contradiction;
import dev.agentmemory.recall.truth.StatedText;
import dev.agentmemory.recall.truth.StatementRelation;
import dev.agentmemory.types.MemoryId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/// Decides which memories are replaced by others that contradict them. For one change, while
/// memories are locked for writing.
///
/// Idea: a memory is replaced by the first later one of its scope that contradicts it, whenever
/// either of them arrives. Later means valid from a later time. So the result is the same in
/// whichever order memories arrive, and an old statement that arrives late is replaced at once. Of
/// memories of one time, such as those of one turn, neither replaces the other.
///
/// A memory keeps its pin, its lifetime and everything else when it is replaced.
///
/// Limits: only the [#COMPARED] memories that share most words with a new one are compared with it,
/// and only short texts.
final class Supersession {

  /// Memories of a scope that a new one is compared with.
  private static final int COMPARED = 4;

  private static final String REASON = "supersession";

  private static final Comparator<MemoryEntry> EARLIEST_FIRST =
      Comparator.comparing((MemoryEntry entry) -> entry.validity().validFrom())
          .thenComparing(MemoryEntry::id);

  private final MemoryCollection memories;
  private final MemoryTable table;
  private final Instant now;

  /// By identity, because entries compare all they have.
  private final IdentityHashMap<MemoryEntry, StatedText> texts = new IdentityHashMap<>();

  /// @param now noted as the end of the states that are replaced
  Supersession(MemoryCollection memories, Instant now) {
    this.memories = memories;
    this.table = memories.table();
    this.now = now;
  }

  /// Adds new memories to a batch, together with what they replace.
  ///
  /// @return the new memories as they are stored: some are replaced already
  Map<MemoryId, MemoryRecord> add(Collection<NewMemory> added, MemoryBatch batch) {
    var fresh = new MemoryTable();
    added.forEach(one -> fresh.put(one.entry()));
    Map<MemoryId, MemoryEntry> successors = successors(fresh);
    Map<MemoryId, MemoryRecord> stored = new LinkedHashMap<>();
    for (NewMemory one : added) {
      MemoryRecord memory = one.row().memory();
      Optional<MemoryEntry> successor = Optional.ofNullable(successors.remove(memory.id()));
      MemoryRow put = successor.map(by -> replaced(memory, by)).orElse(one.row());
      stored.put(memory.id(), put.memory());
      batch.add(put, one);
    }
    successors.forEach((id, by) -> replace(id, by, batch));
    return stored;
  }

  private void replace(MemoryId id, MemoryEntry by, MemoryBatch batch) {
    table
        .entry(id)
        .flatMap(memories::read)
        .ifPresent(former -> batch.change(former, replaced(former, by), now, REASON));
  }

  /// Adds a memory to a batch that says something else than before, together with what it replaces
  /// and with what it does not replace any more.
  ///
  /// A text that contradicts the former one or, unlike the former one, another memory is a new
  /// statement: it is valid from now, and nothing has replaced it yet. Any other text corrects the
  /// former one, whose validity it keeps.
  ///
  /// @param changed the memory, with the validity of the former one and the time of the update
  void update(MemoryRecord former, MemoryRecord changed, MemoryBatch batch) {
    MemoryEntry before = MemoryEntry.of(former, 0);
    MemoryEntry after = MemoryEntry.of(changed, 0);
    Set<MemoryId> self = Set.of(former.id());
    for (MemoryId id : table.replacedBy(former.id())) {
      table
          .entry(id)
          .filter(other -> contradicts(other, before) && !contradicts(other, after))
          .ifPresent(other ->
              memories.read(other).ifPresent(memory -> retract(other, memory, self, batch)));
    }
    boolean says = changed.content().text().equals(former.content().text());
    MemoryRecord put =
        changed.withValidity(
            !says && isNewStatement(before, after)
                ? sinceNow(changed.validity())
                : corrected(before, after));
    var fresh = new MemoryTable();
    fresh.put(MemoryEntry.of(put, 0));
    Map<MemoryId, MemoryEntry> successors = successors(fresh);
    MemoryRow row =
        Optional.ofNullable(successors.remove(put.id()))
            .map(by -> replaced(put, by))
            .orElseGet(() -> MemoryJson.CURRENT.row(put));
    successors.forEach((id, by) -> replace(id, by, batch));
    batch.change(former, row, now, "update");
  }

  private Validity sinceNow(Validity former) {
    Instant from = now.isAfter(former.validFrom()) ? now : former.validFrom();
    return new Validity(former.created(), now, from, Optional.empty(), Optional.empty());
  }

  private Validity corrected(MemoryEntry before, MemoryEntry after) {
    Validity validity = after.validity();
    boolean released =
        validity
            .supersededBy()
            .flatMap(table::find)
            .map(by -> contradicts(before, by) && !contradicts(after, by))
            .orElse(false);
    return released ? validity.current() : validity;
  }

  private boolean isNewStatement(MemoryEntry before, MemoryEntry after) {
    return contradicts(before, after)
        || table.alike(after, COMPARED).stream()
            .anyMatch(other -> contradicts(other, after) && !contradicts(other, before));
  }

  private static MemoryRow replaced(MemoryRecord memory, MemoryEntry by) {
    Validity validity = memory.validity().superseded(by.validity().validFrom(), by.id());
    return MemoryJson.CURRENT.row(memory.withValidity(validity));
  }

  /// What replaces whom because of new memories.
  private Map<MemoryId, MemoryEntry> successors(MemoryTable fresh) {
    Map<MemoryId, MemoryEntry> successors = new LinkedHashMap<>();
    for (MemoryEntry entry : fresh.copy()) {
      texts.clear();
      List<MemoryEntry> others = new ArrayList<>(table.alike(entry, COMPARED));
      others.addAll(fresh.alike(entry, COMPARED));
      for (MemoryEntry other : others) {
        boolean first = isEarlier(entry, other);
        MemoryEntry older = first ? entry : other;
        MemoryEntry newer = first ? other : entry;
        if (isEarlier(older, newer)
            && !isReplacedBefore(older, newer, successors)
            && contradicts(older, newer)) {
          successors.put(older.id(), newer);
        }
      }
    }
    return successors;
  }

  private static boolean isEarlier(MemoryEntry one, MemoryEntry other) {
    return one.validity().validFrom().isBefore(other.validity().validFrom());
  }

  /// Whether something earlier than the newer one has replaced the older one.
  private static boolean isReplacedBefore(
      MemoryEntry older, MemoryEntry newer, Map<MemoryId, MemoryEntry> successors) {
    MemoryEntry found = successors.get(older.id());
    if (found != null) {
      return EARLIEST_FIRST.compare(found, newer) <= 0;
    }
    return older
        .validity()
        .supersededAt()
        .map(time -> !newer.validity().validFrom().isBefore(time))
        .orElse(false);
  }

  private boolean contradicts(MemoryEntry older, MemoryEntry newer) {
    return older.isStatement()
        && newer.isStatement()
        && Contradiction.between(stated(older), stated(newer), OptionalDouble.empty())
            == StatementRelation.SUPERSEDES;
  }

  private StatedText stated(MemoryEntry entry) {
    return texts.computeIfAbsent(
        entry,
        _ ->
            new StatedText(
                entry.kind(),
                entry.statement().words().map(StatedWords::text).orElseThrow(),
                entry.statement().exact()));
  }

  /// Gives memories their validity back that deleted ones have replaced: what a caller deletes has
  /// no effect any more. If another one contradicts them, too, that one replaces them.
  ///
  /// @param deleted of this batch
  /// @param all what the same call deletes
  void retract(Collection<MemoryId> deleted, Set<MemoryId> all, MemoryBatch batch) {
    Set<MemoryId> replaced = new LinkedHashSet<>();
    deleted.forEach(gone -> replaced.addAll(table.replacedBy(gone)));
    replaced.removeAll(all);
    for (MemoryId id : replaced) {
      table
          .entry(id)
          .ifPresent(entry ->
              memories.read(entry).ifPresent(former -> retract(entry, former, all, batch)));
    }
  }

  private void retract(
      MemoryEntry entry, MemoryRecord former, Set<MemoryId> all, MemoryBatch batch) {
    MemoryRow row =
        successor(entry, all)
            .map(by -> replaced(former, by))
            .orElseGet(
                () -> MemoryJson.CURRENT.row(former.withValidity(former.validity().current())));
    batch.change(former, row, now, REASON);
  }

  private Optional<MemoryEntry> successor(MemoryEntry entry, Set<MemoryId> all) {
    return table.alike(entry, COMPARED).stream()
        .filter(other -> !all.contains(other.id()) && isEarlier(entry, other))
        .filter(other -> contradicts(entry, other))
        .min(EARLIEST_FIRST)
        .or(() -> next(entry, all));
  }

  /// What replaced that which replaced it.
  private Optional<MemoryEntry> next(MemoryEntry entry, Set<MemoryId> all) {
    Set<MemoryId> met = new HashSet<>(Set.of(entry.id()));
    Optional<MemoryEntry> next = Optional.of(entry);
    do {
      next = next.get().validity().supersededBy().flatMap(table::find);
    } while (next.isPresent() && all.contains(next.get().id()) && met.add(next.get().id()));
    return next.filter(found -> !met.contains(found.id()));
  }
}
