package dev.agentmemory.recall.memory;

import dev.agentmemory.api.recall.ChannelName;
import dev.agentmemory.api.recall.Deletion;
import dev.agentmemory.api.recall.DeletionReport;
import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.api.recall.MemoryLifetime;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.MemoryScope;
import dev.agentmemory.api.recall.MemoryUpdate;
import dev.agentmemory.recall.RecallServices;
import dev.agentmemory.recall.SessionPorts;
import dev.agentmemory.recall.internal.record.ContentMask;
import dev.agentmemory.recall.internal.record.MemoryJson;
import dev.agentmemory.recall.internal.record.MemoryJson.MemoryRow;
import dev.agentmemory.recall.internal.table.MemoryEntry;
import dev.agentmemory.recall.internal.table.MemoryTable;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.SessionId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/// Checks and writes what callers ask for in one collection.
final class MemoryWriter {

  /// Memories that are deleted in one commit, during which no other commit is written.
  private static final int DELETED = 100;

  private final MemoryCollection memories;
  private final RecallServices services;
  private final SessionPorts sessions;
  private final DraftReader drafts;
  private final ContentMask mask;

  MemoryWriter(MemoryCollection memories, RecallServices services, SessionPorts sessions) {
    this.memories = memories;
    this.services = services;
    this.sessions = sessions;
    this.drafts = new DraftReader(services, sessions.channels());
    this.mask = new ContentMask(services.mask());
  }

  /// Stores memories.
  ///
  /// @param strict all or nothing; else what is refused, known or deleted is passed over
  /// @param elsewhere whether a memory exists outside of the collection
  /// @return what became of each, in order
  List<AddOutcome> add(List<MemoryDraft> asked, boolean strict, Predicate<MemoryId> elsewhere) {
    if (asked.isEmpty() || asked.size() > MemoryDraft.MAX_CALL) {
      throw MemoryException.invalid(
          "memories",
          "has %d entries; expected 1 to %d".formatted(asked.size(), MemoryDraft.MAX_CALL));
    }
    SortedMap<Integer, AddOutcome> outcomes = new TreeMap<>();
    Instant now = services.system().now();
    List<DraftedMemory> drafted = drafted(asked, strict, now, outcomes);
    WriteLimits.sizes(drafted).forEach(this::makeSpace);
    try (var _ = memories.exclusive()) {
      // A channel may have been renamed since the drafts were read.
      List<DraftedMemory> placed =
          drafted.stream().map(one -> one.with(memories.inPresentChannel(one.memory()))).toList();
      new Addition(memories, strict, now, elsewhere, limits(), outcomes).run(placed);
    }
    return List.copyOf(outcomes.values());
  }

  private List<DraftedMemory> drafted(
      List<MemoryDraft> asked, boolean strict, Instant now, Map<Integer, AddOutcome> outcomes) {
    List<DraftedMemory> drafted = new ArrayList<>();
    Predicate<ChannelName> existing = sessions.channels().existing();
    for (int i = 0; i < asked.size(); i++) {
      try {
        drafted.add(drafts.read(i, asked.get(i), now, existing));
      } catch (MemoryException e) {
        if (strict) {
          throw e;
        }
        outcomes.put(i, new AddOutcome.Refused(e));
      }
    }
    return drafted;
  }

  void makeSpace(SessionId session, long added) {
    sessions.compaction().beforeWrite(session, memories.bytes(session), added);
  }

  WriteLimits limits() {
    return new WriteLimits(
        memories.table(), services.config().consolidation().scopeCap(), sessions.budget());
  }

  /// @throws MemoryException `INVALID_FIELD` when there is no such memory
  void checkReference(String field, MemoryId reference, Predicate<MemoryId> elsewhere) {
    if (!memories.has(reference) && !elsewhere.test(reference)) {
      throw MemoryException.invalid(
          field,
          memories.isAccount()
              ? "names %s, which is no memory of the account; with scope account only those can be named"
                  .formatted(reference)
              : "names %s, which does not exist; store it before, or in the same call"
                  .formatted(reference));
    }
  }

  /// Changes a memory and keeps its former state.
  MemoryRecord update(MemoryId id, MemoryUpdate asked, Predicate<MemoryId> elsewhere) {
    MemoryUpdate update = masked(asked);
    MemoryRecord seen = memories.get(id);
    update
        .content()
        .ifPresent(content ->
            seen.place().session().ifPresent(session -> makeSpace(session, content.bytes())));
    try (var _ = memories.exclusive()) {
      MemoryRecord former = memories.get(id);
      MemoryRecord changed = changed(former, update);
      if (changed.equals(former)) {
        return former;
      }
      checkLifetime(changed);
      Set<MemoryId> known = new HashSet<>(former.links().references());
      changed.links().references().stream()
          .filter(reference -> !known.contains(reference) && !reference.equals(former.id()))
          .forEach(reference -> checkReference("references", reference, elsewhere));
      Instant now = services.system().now();
      MemoryRow row =
          MemoryJson.CURRENT.row(changed.withValidity(former.validity().updatedAt(now)));
      checkLimits(former, row);
      memories.commit(updated(former, row, now));
      return memories.get(former.id());
    }
  }

  private MemoryBatch updated(MemoryRecord former, MemoryRow row, Instant now) {
    MemoryRecord changed = row.memory();
    var batch = new MemoryBatch();
    if (changed.kind() == former.kind()
        && changed.content().text().equals(former.content().text())) {
      return batch.change(former, row, now, "update");
    }
    new Supersession(memories, now).update(former, changed, batch);
    return batch;
  }

  private MemoryUpdate masked(MemoryUpdate asked) {
    return new MemoryUpdate(
        asked.content().map(content -> mask.content("", content)),
        asked.importance(),
        asked.lifetime(),
        asked.kind(),
        asked.tags().map(mask::tags),
        asked.references());
  }

  private static MemoryRecord changed(MemoryRecord former, MemoryUpdate update) {
    return new MemoryRecord(
        former.id(),
        former.place(),
        update.lifetime().orElse(former.lifetime()),
        update.kind().orElse(former.kind()),
        former.source(),
        update.content().orElse(former.content()),
        update.importance().orElse(former.importance()),
        former.pinned(),
        update.tags().orElse(former.tags()),
        update.references().map(former.links()::withReferences).orElse(former.links()),
        former.validity(),
        former.use(),
        former.embedding(),
        former.checksum());
  }

  private static void checkLifetime(MemoryRecord changed) {
    if (changed.lifetime() == MemoryLifetime.CONVERSATION
        && changed.place().scope() != MemoryScope.CONVERSATION) {
      throw MemoryException.invalid(
          "lifetime",
          "is conversation, which is possible only with scope conversation; use short_term or"
              + " long_term");
    }
  }

  private void checkLimits(MemoryRecord former, MemoryRow row) {
    WriteLimits limits = limits();
    MemoryRecord changed = row.memory();
    if (MemoryEntry.isExempt(changed.pinned(), changed.kind())
        && !MemoryEntry.isExempt(former.pinned(), former.kind())) {
      limits.exempt(changed.place());
    }
    int before = memories.table().entry(former.id()).map(MemoryEntry::bytes).orElse(0);
    changed.place().session().ifPresent(session -> limits.grow(session, row.bytes() - before));
  }

  /// Pins a memory or unpins it.
  MemoryRecord pin(MemoryId id, boolean pinned) {
    try (var _ = memories.exclusive()) {
      MemoryRecord former = memories.get(id);
      if (former.pinned() == pinned) {
        return former;
      }
      MemoryRow row = MemoryJson.CURRENT.row(former.withPinned(pinned));
      checkLimits(former, row);
      memories.commit(new MemoryBatch().put(row));
      return memories.get(former.id());
    }
  }

  /// Deletes memories, or tells which ones it would delete.
  DeletionReport delete(Deletion deletion, boolean preview) {
    String reason = mask.text("reason", deletion.reason());
    try (var _ = memories.exclusive()) {
      MemoryTable table = memories.table();
      List<MemoryEntry> chosen = chosen(table, deletion);
      long skipped = namesIdsAlone(deletion) ? 0 : unread(table, deletion).size();
      List<MemoryId> ids = new ArrayList<>(chosen.stream().map(MemoryEntry::id).toList());
      ids.addAll(chosenUnread(table, deletion));
      List<MemoryRecord> first =
          chosen.stream()
              .limit(DeletionReport.SHOWN)
              .flatMap(entry -> memories.read(entry).stream())
              .toList();
      if (!preview) {
        forget(ids, reason);
      }
      return new DeletionReport(ids.size(), first, skipped);
    }
  }

  private static List<MemoryEntry> chosen(MemoryTable table, Deletion deletion) {
    Set<MemoryId> ids = resolved(table, deletion);
    return table.copy().stream()
        .filter(entry -> ids.isEmpty() || ids.contains(entry.id()))
        .filter(entry -> isChosen(entry, deletion))
        .sorted(MemoryEntry.LATEST_FIRST)
        .toList();
  }

  private static Set<MemoryId> resolved(MemoryTable table, Deletion deletion) {
    Set<MemoryId> ids = new HashSet<>();
    deletion.ids().forEach(id -> ids.add(table.resolved(id)));
    return ids;
  }

  private static boolean isChosen(MemoryEntry entry, Deletion deletion) {
    Instant created = entry.validity().created();
    return deletion
            .topic()
            .map(topic -> entry.tags().stream().anyMatch(tag -> tag.isWithin(topic)))
            .orElse(true)
        && deletion
            .session()
            .map(session -> entry.place().session().filter(session::equals).isPresent())
            .orElse(true)
        && deletion.after().map(from -> !created.isBefore(from)).orElse(true)
        && deletion.before().map(created::isBefore).orElse(true);
  }

  /// Of memories that cannot be read nothing but the id is known, so nothing else may be asked for.
  private static List<MemoryId> chosenUnread(MemoryTable table, Deletion deletion) {
    return namesIdsAlone(deletion) ? unread(table, deletion) : List.of();
  }

  private static boolean namesIdsAlone(Deletion deletion) {
    return deletion.topic().isEmpty()
        && deletion.session().isEmpty()
        && deletion.after().isEmpty()
        && deletion.before().isEmpty();
  }

  /// The memories that cannot be read, of those with the ids of a deletion if it has any.
  private static List<MemoryId> unread(MemoryTable table, Deletion deletion) {
    Set<MemoryId> ids = resolved(table, deletion);
    return table.corrupt().stream()
        .filter(id -> ids.isEmpty() || ids.contains(id))
        .sorted()
        .toList();
  }

  /// Deletes those of these memories that are there.
  void erase(Set<MemoryId> ids) {
    try (var _ = memories.exclusive()) {
      MemoryTable table = memories.table();
      List<MemoryId> there =
          table.copy().stream().map(MemoryEntry::id).filter(ids::contains).sorted().toList();
      forget(there, "");
    }
  }

  private void forget(List<MemoryId> ids, String reason) {
    Instant now = services.system().now();
    Set<MemoryId> all = Set.copyOf(ids);
    for (int i = 0; i < ids.size(); i += DELETED) {
      var batch = new MemoryBatch();
      List<MemoryId> some = ids.subList(i, Math.min(ids.size(), i + DELETED));
      some.forEach(id -> batch.forget(id, now, reason));
      new Supersession(memories, now).retract(some, all, batch);
      memories.commit(batch);
    }
  }
}
