package dev.agentmemory.engine.internal.erase;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentmemory.api.forget.ForgetReceipt;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.store.record.StoredRecord;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.WorkspaceName;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/// What was decided to be erased. Its rows are in the store before anything is erased, so an
/// erasure that was cut off is finished:
///
/// ```
/// erasure:part:{n:06}   events, memories and nodes, some in each
/// erasure:plan          the decision, written last, and how far it has come
/// erasure:done:{ulid}   the receipt, without content
/// erasure:memory:{digest} of a memory that was erased, for restores of older backups
/// ```
///
/// @param owner the workspace, where several share the store
/// @param all whether the whole workspace is erased
/// @param barred whether what was said must not come back in other events either
/// @param memoriesStay whether memories that rest on an erased event are kept
/// @param events by session
/// @param whole sessions of which every event is erased
/// @param nodes that say, or have said, what the events say
record ErasurePlan(
    ForgetReceipt receipt,
    Optional<WorkspaceName> owner,
    boolean all,
    boolean barred,
    boolean memoriesStay,
    Map<SessionId, Set<EventKey>> events,
    Set<SessionId> whole,
    Set<MemoryId> memories,
    NavigableSet<NodeId> nodes) {

  private static final String ROWS = "erasure:";
  private static final String PLAN = ROWS + "plan";
  private static final String PART = ROWS + "part:";
  private static final String DONE = ROWS + "done:";
  private static final String MEMORY = ROWS + "memory:";

  /// Entries of a part.
  private static final int PART_SIZE = 2000;

  private static final int PAGE = 16;
  private static final JsonMapper JSON = new JsonMapper();

  /// How far an erasure has come.
  enum Phase {
    /// Decided; answers may still have some of it after a crash, until it is resumed.
    DECIDED,
    /// Nothing but files has some of it.
    FILES
  }

  ErasurePlan withNodes(NavigableSet<NodeId> found) {
    return new ErasurePlan(
        receipt, owner, all, barred, memoriesStay, events, whole, memories, found);
  }

  ErasurePlan withReceipt(ForgetReceipt changed) {
    return new ErasurePlan(
        changed, owner, all, barred, memoriesStay, events, whole, memories, nodes);
  }

  /// Writes the decision.
  void decide(MemoryStore store) {
    dropParts(store);
    var parts = new PlanParts(store);
    events.forEach(
        (session, keys) -> keys.forEach(key -> parts.add("events", event(session, key))));
    memories.forEach(id -> parts.add("memories", JSON.getNodeFactory().textNode(id.value())));
    nodes.forEach(id -> parts.add("nodes", JSON.getNodeFactory().textNode(id.value())));
    whole.forEach(id -> parts.add("whole", JSON.getNodeFactory().textNode(id.value())));
    parts.flush();
    var _ = store.commit(Commit.of(put(PLAN, head(Phase.DECIDED))));
  }

  private static JsonNode event(SessionId session, EventKey key) {
    return JSON.createObjectNode()
        .put("session", session.value())
        .put("time_ms", key.timestamp().toEpochMilli())
        .put("position", key.position())
        .put("id", key.id().value());
  }

  /// Writes that only files may have some of it, and which memories were erased.
  void reachFiles(MemoryStore store) {
    List<Change> changes = new ArrayList<>();
    memories.forEach(id -> changes.add(put(MEMORY + digest(store, id), JSON.createObjectNode())));
    changes.add(put(PLAN, head(Phase.FILES)));
    var _ = store.commit(Commit.of(changes));
  }

  /// By what a memory is recognised that was erased: its id may follow from what it said.
  static String digest(MemoryStore store, MemoryId id) {
    return store.digest("memory " + id.value());
  }

  /// The digests of the memories that were erased from a store. Those that were only deleted are
  /// not among them: a backup may be restored to have them back.
  static Set<String> erasedMemories(MemoryStore store) {
    Set<String> erased = new TreeSet<>();
    Optional<String> after = Optional.empty();
    List<StoredRecord> page;
    do {
      page = store.records().records(MEMORY, after, PART_SIZE);
      page.forEach(row -> erased.add(row.key().substring(MEMORY.length())));
      after = page.isEmpty() ? after : Optional.of(page.getLast().key());
    } while (page.size() == PART_SIZE);
    return erased;
  }

  /// Writes the receipt in place of the plan.
  void finish(MemoryStore store) {
    ObjectNode row = JSON.createObjectNode().put("schema_version", 1);
    row.set("receipt", written(receipt.finished()));
    var _ = store.commit(Commit.of(put(DONE + receipt.id(), row), new Change.DropRecord(PLAN)));
  }

  private ObjectNode head(Phase phase) {
    ObjectNode row = JSON.createObjectNode().put("schema_version", 1).put("phase", phase.name());
    row.put("all", all).put("barred", barred).put("memories_stay", memoriesStay);
    owner.ifPresent(name -> row.put("workspace", name.value()));
    row.set("receipt", written(receipt));
    return row;
  }

  private static ObjectNode written(ForgetReceipt receipt) {
    ObjectNode json =
        JSON.createObjectNode()
            .put("id", receipt.id())
            .put("time_ms", receipt.time().toEpochMilli())
            .put("reason", receipt.reason())
            .put("events", receipt.events())
            .put("sessions", receipt.sessions())
            .put("memories", receipt.memories())
            .put("nodes", receipt.nodes())
            .put("records", receipt.records())
            .put("files", receipt.files())
            .put("digest", receipt.digest());
    ObjectNode topics = json.putObject("topics");
    new TreeMap<>(receipt.topics()).forEach(topics::put);
    return json;
  }

  private static Change put(String key, JsonNode row) {
    return new Change.PutRecord(new StoredRecord(key, row.toString()));
  }

  /// Removes what names sessions and events. To be called before files are made anew.
  static void dropParts(MemoryStore store) {
    List<StoredRecord> page;
    do {
      page = store.records().records(PART, Optional.empty(), PAGE);
      if (!page.isEmpty()) {
        var _ =
            store.commit(
                Commit.of(
                    page.stream().<Change>map(row -> new Change.DropRecord(row.key())).toList()));
      }
    } while (!page.isEmpty());
  }

  /// How far the erasure has come that is not finished; empty when there is none.
  static Optional<Phase> phase(MemoryStore store) {
    return store.records().record(PLAN).map(row -> Phase.valueOf(read(row).path("phase").asText()));
  }

  /// The erasure that is not finished. Without events once only files are left.
  static Optional<ErasurePlan> stored(MemoryStore store) {
    return store.records().record(PLAN).map(row -> stored(store, read(row)));
  }

  private static ErasurePlan stored(MemoryStore store, JsonNode head) {
    Map<SessionId, Set<EventKey>> events = new TreeMap<>();
    Set<SessionId> whole = new HashSet<>();
    Set<MemoryId> memories = new TreeSet<>();
    NavigableSet<NodeId> nodes = new TreeSet<>();
    each(
        store,
        PART,
        row -> {
          row.path("events")
              .forEach(one ->
                  events
                      .computeIfAbsent(
                          new SessionId(one.path("session").asText()), _ -> new HashSet<>())
                      .add(
                          new EventKey(
                              Instant.ofEpochMilli(one.path("time_ms").asLong()),
                              one.path("position").asLong(),
                              new EventId(one.path("id").asText()))));
          row.path("memories").forEach(id -> memories.add(MemoryId.of(id.asText())));
          row.path("nodes").forEach(id -> NodeId.parse(id.asText()).ifPresent(nodes::add));
          row.path("whole").forEach(id -> whole.add(new SessionId(id.asText())));
        });
    return new ErasurePlan(
        receipt(head.path("receipt"), /* pending= */ true),
        Optional.ofNullable(head.get("workspace")).flatMap(name -> WorkspaceName.of(name.asText())),
        head.path("all").asBoolean(),
        head.path("barred").asBoolean(),
        head.path("memories_stay").asBoolean(),
        events,
        whole,
        memories,
        nodes);
  }

  private static ForgetReceipt receipt(JsonNode json, boolean pending) {
    Map<String, Long> topics = new TreeMap<>();
    json.path("topics")
        .properties()
        .forEach(topic -> topics.put(topic.getKey(), topic.getValue().asLong()));
    return new ForgetReceipt(
        json.path("id").asText(),
        Instant.ofEpochMilli(json.path("time_ms").asLong()),
        json.path("reason").asText(),
        json.path("events").asLong(),
        json.path("sessions").asLong(),
        json.path("memories").asLong(),
        json.path("nodes").asLong(),
        json.path("records").asLong(),
        topics,
        json.path("digest").asText(),
        pending,
        List.of(),
        json.path("files").asLong(),
        List.of());
  }

  private static void each(MemoryStore store, String prefix, Consumer<JsonNode> rows) {
    Optional<String> after = Optional.empty();
    List<StoredRecord> page;
    do {
      page = store.records().records(prefix, after, PAGE);
      page.forEach(row -> rows.accept(read(row.value())));
      after = page.isEmpty() ? after : Optional.of(page.getLast().key());
    } while (page.size() == PAGE);
  }

  private static JsonNode read(String row) {
    try {
      return JSON.readTree(row);
    } catch (JsonProcessingException e) {
      throw new MemoryException(
          ErrorCode.CORRUPT_RECORD,
          "the record of an erasure that is not finished cannot be read; run `memory doctor`",
          e);
    }
  }

  /// Collects entries and writes them some at a time.
  private static final class PlanParts {

    private final MemoryStore store;
    private final Map<String, Collection<JsonNode>> lists = new TreeMap<>();
    private int size;
    private int number;

    private PlanParts(MemoryStore store) {
      this.store = store;
    }

    void add(String list, JsonNode entry) {
      lists.computeIfAbsent(list, _ -> new ArrayList<>()).add(entry);
      size++;
      if (size == PART_SIZE) {
        flush();
      }
    }

    void flush() {
      if (size > 0) {
        ObjectNode row = JSON.createObjectNode().put("schema_version", 1);
        lists.forEach((name, entries) -> {
          ArrayNode list = row.putArray(name);
          entries.forEach(list::add);
        });
        number++;
        var _ = store.commit(Commit.of(put(PART + "%06d".formatted(number), row)));
        lists.clear();
        size = 0;
      }
    }
  }
}
