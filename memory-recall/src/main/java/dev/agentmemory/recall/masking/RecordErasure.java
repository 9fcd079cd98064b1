package dev.agentmemory.recall.masking;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentmemory.recall.injection.InjectionRow;
import dev.agentmemory.recall.internal.record.MemoryKeys;
import dev.agentmemory.recall.internal.record.MentionedIds;
import dev.agentmemory.recall.internal.record.RecordJson;
import dev.agentmemory.spi.Mutex;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.store.record.StoredRecord;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.SessionId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/// Erases what rows besides those of memories still have of erased memories, events and sessions:
/// former states, the log of consolidation, reasons of deletions, conversations, scratchpads, what
/// sessions were told, and how far extraction has come. Repeating it changes nothing.
public final class RecordErasure {

  private final MemoryStore store;
  private final Supplier<Mutex.Held> lock;
  private final String owner;
  private long rows;

  /// @param lock of what is written of memories and conversations there
  /// @param owner empty in a store of one workspace; else `@`, the workspace's name and `/`
  public RecordErasure(MemoryStore store, Supplier<Mutex.Held> lock, String owner) {
    this.store = store;
    this.lock = lock;
    this.owner = owner;
  }

  /// How many rows were changed or removed.
  public long rows() {
    return rows;
  }

  /// Removes former states, and entries of the log of consolidation, that are of erased memories or
  /// rest on erased events.
  ///
  /// @param events without a workspace's name
  public void eraseStates(Set<MemoryId> memories, Set<EventId> events) {
    if (memories.isEmpty() && events.isEmpty()) {
      return;
    }
    Set<String> ids = new HashSet<>();
    memories.forEach(id -> ids.add(id.value()));
    events.forEach(id -> ids.add(id.value()));
    Predicate<ObjectNode> erased = memory -> isErased(memory, memories, events);
    mentioning("history:", ids, row -> state(row, erased));
    mentioning("run_rows:", ids, row -> run(row, erased));
    mentioning("run_ids:", ids, row -> runIds(row, memories));
    mentioning("tombstone:", ids, row -> tombstone(row, memories));
  }

  private void mentioning(
      String kind, Set<String> ids, Function<StoredRecord, Optional<Change>> change) {
    each(
        kind,
        row -> MentionedIds.any(row.value(), ids::contains) ? change.apply(row) : Optional.empty());
  }

  /// Removes what is kept of whole sessions.
  public void eraseSessions(Set<SessionId> sessions) {
    for (SessionId session : sessions) {
      String name = session.plain().value();
      for (String kind : List.of("conversation:", "extract:%ssession:")) {
        drop(key(kind) + name);
      }
      for (String kind :
          List.of("pad:", InjectionRow.KIND, "extract:%ssegment:", "extract:%srefined:")) {
        dropAll(key(kind) + name + '\0');
      }
    }
    Set<String> names =
        sessions.stream().map(session -> session.plain().value()).collect(Collectors.toSet());
    each(
        "refcode:",
        row ->
            names.contains(new SessionId(row.value()).plain().value())
                ? Optional.of(new Change.DropRecord(row.key()))
                : Optional.empty());
  }

  /// Removes what a model has said about single events.
  public void eraseTurns(Map<SessionId, Set<EventId>> events) {
    events.forEach((session, ids) -> {
      String prefix = key("extract:%srefined:") + session.plain().value() + '\0';
      if (!store.records().records(prefix, Optional.empty(), 1).isEmpty()) {
        ids.forEach(id -> drop(prefix + id.plain().value()));
      }
    });
  }

  /// Removes the texts of what sessions were told that cite something erased.
  ///
  /// @param erased whether a citation names something erased
  public void eraseInjections(InjectionRow.Citations erased) {
    each(InjectionRow.KIND, row -> InjectionRow.erased(row, erased).map(Change.PutRecord::new));
  }

  /// Removes all records of the workspace but for digests of what was deleted.
  public void eraseAll() {
    for (String kind :
        List.of(
            "conversation:",
            "channel:",
            "memory:",
            "pad:",
            "refcode:",
            "history:",
            InjectionRow.KIND,
            "run:",
            "run_ids:",
            "run_rows:",
            "merged:",
            "use:",
            "vector:",
            "stated:",
            "extract:%ssegment:",
            "extract:%ssession:",
            "extract:%srefined:")) {
      dropAll(key(kind));
    }
    drop("meta:" + owner + "channels");
    each("tombstone:", row -> tombstone(row, Set.of(), /* all= */ true));
  }

  private String key(String kind) {
    return kind.contains("%s") ? kind.formatted(owner) : kind + owner;
  }

  private void drop(String key) {
    try (var _ = lock.get()) {
      if (store.records().record(key).isPresent()) {
        rows++;
        var _ = store.commit(Commit.of(new Change.DropRecord(key)));
      }
    }
  }

  private void dropAll(String prefix) {
    int limit = MemoryKeys.page(prefix);
    List<StoredRecord> page;
    do {
      checkStop();
      try (var _ = lock.get()) {
        page = store.records().records(prefix, Optional.empty(), limit);
        rows += page.size();
        if (!page.isEmpty()) {
          var _ =
              store.commit(
                  Commit.of(
                      page.stream().<Change>map(row -> new Change.DropRecord(row.key())).toList()));
        }
      }
    } while (page.size() == limit);
  }

  private void each(String kind, Function<StoredRecord, Optional<Change>> change) {
    int limit = MemoryKeys.page(kind);
    Optional<String> after = Optional.empty();
    List<StoredRecord> page;
    do {
      checkStop();
      try (var _ = lock.get()) {
        page = store.records().records(key(kind), after, limit);
        List<Change> changes = new ArrayList<>();
        page.forEach(row -> readable(row, change).ifPresent(changes::add));
        rows += changes.size();
        if (!changes.isEmpty()) {
          var _ = store.commit(Commit.of(changes));
        }
      }
      after = page.isEmpty() ? after : Optional.of(page.getLast().key());
    } while (page.size() == limit);
  }

  private static void checkStop() {
    if (Thread.currentThread().isInterrupted()) {
      throw new MemoryException(
          ErrorCode.CLOSED, "the erasure was stopped; it goes on when the daemon starts again");
    }
  }

  /// What a damaged row has of an erased memory cannot be told, so it goes as a whole.
  private static Optional<Change> readable(
      StoredRecord row, Function<StoredRecord, Optional<Change>> change) {
    try {
      return change.apply(row);
    } catch (MemoryException e) {
      if (e.code() != ErrorCode.INVALID_FIELD) {
        e.rethrowUnless(ErrorCode.CORRUPT_RECORD);
      }
      return Optional.of(new Change.DropRecord(row.key()));
    }
  }

  private static boolean isErased(ObjectNode memory, Set<MemoryId> memories, Set<EventId> events) {
    if (memories.contains(MemoryId.of(RecordJson.text(memory, "id")))) {
      return true;
    }
    for (JsonNode event : memory.path("evidence_events")) {
      if (events.contains(new EventId(event.asText()).plain())) {
        return true;
      }
    }
    return false;
  }

  private static Optional<Change> state(StoredRecord row, Predicate<ObjectNode> erased) {
    return erased.test(memory(RecordJson.parse(row.value())))
        ? Optional.of(new Change.DropRecord(row.key()))
        : Optional.empty();
  }

  private static ObjectNode memory(ObjectNode state) {
    if (RecordJson.required(state, "memory") instanceof ObjectNode memory) {
      return memory;
    }
    throw RecordJson.corrupt("field memory is no object");
  }

  private static Optional<Change> run(StoredRecord row, Predicate<ObjectNode> erased) {
    ObjectNode run = RecordJson.parse(row.value());
    boolean changed = false;
    for (Iterator<JsonNode> all = RecordJson.required(run, "memories").iterator();
        all.hasNext(); ) {
      if (all.next() instanceof ObjectNode logged) {
        if (has(logged, "memory", erased) || has(logged, "after", erased)) {
          all.remove();
          changed = true;
        } else {
          changed |= history(logged, erased);
        }
      }
    }
    return changed
        ? Optional.of(new Change.PutRecord(new StoredRecord(row.key(), RecordJson.write(run))))
        : Optional.empty();
  }

  private static boolean history(ObjectNode logged, Predicate<ObjectNode> erased) {
    boolean changed = false;
    for (Iterator<JsonNode> states = logged.path("history").iterator(); states.hasNext(); ) {
      ObjectNode state = RecordJson.parse(states.next().path("value").asText());
      if (erased.test(memory(state))) {
        states.remove();
        changed = true;
      }
    }
    return changed;
  }

  private static boolean has(ObjectNode logged, String field, Predicate<ObjectNode> erased) {
    return logged.hasNonNull(field)
        && erased.test(RecordJson.parse(RecordJson.text(logged, field)));
  }

  private static Optional<Change> runIds(StoredRecord row, Set<MemoryId> memories) {
    ObjectNode ids = RecordJson.parse(row.value());
    if (!(RecordJson.required(ids, "ids") instanceof ArrayNode list)) {
      throw RecordJson.corrupt("field ids is no list");
    }
    boolean changed = false;
    for (Iterator<JsonNode> all = list.iterator(); all.hasNext(); ) {
      if (memories.contains(MemoryId.of(all.next().asText()))) {
        all.remove();
        changed = true;
      }
    }
    return changed
        ? Optional.of(new Change.PutRecord(new StoredRecord(row.key(), RecordJson.write(ids))))
        : Optional.empty();
  }

  private static Optional<Change> tombstone(StoredRecord row, Set<MemoryId> memories) {
    return tombstone(row, memories, /* all= */ false);
  }

  /// The reason of a deletion may say what was deleted.
  private static Optional<Change> tombstone(StoredRecord row, Set<MemoryId> memories, boolean all) {
    ObjectNode tombstone = RecordJson.parse(row.value());
    boolean meant = all || memories.contains(MemoryId.of(RecordJson.text(tombstone, "id")));
    if (!meant || RecordJson.text(tombstone, "reason").isEmpty()) {
      return Optional.empty();
    }
    tombstone.put("reason", "");
    return Optional.of(
        new Change.PutRecord(new StoredRecord(row.key(), RecordJson.write(tombstone))));
  }
}
