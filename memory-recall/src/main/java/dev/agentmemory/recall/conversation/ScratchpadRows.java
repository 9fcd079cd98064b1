package dev.agentmemory.recall.conversation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentmemory.api.conversation.ScratchpadEntry;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.record.StoredRecord;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.SessionId;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The records of scratchpads, and their sizes. It needs no quota itself, so the quota can be built
/// on it.
///
/// ```
/// pad:{owner}{session}\0{key}
/// {"schema_version":1, "value":"{\"a\":1}", "created_ms":0, "updated_ms":0}
/// ```
///
/// A session id has no control characters, so no scratchpad's keys begin with those of another.
public final class ScratchpadRows {

  private static final Logger LOG = LoggerFactory.getLogger(ScratchpadRows.class);
  private static final String KIND = "pad";
  private static final char END = '\0';

  /// Sorts behind all keys of a session and before the next session.
  private static final char BEHIND = '\1';

  private static final int STEP = 100;

  private final ConversationContext context;

  public ScratchpadRows(ConversationContext context) {
    this.context = context;
  }

  /// @param entries how many
  /// @param bytes of keys and values
  record Size(long entries, long bytes) {

    private static final Size NONE = new Size(0, 0);

    private Size plus(ScratchpadEntry entry) {
      return new Size(entries + 1, bytes + entry.bytes());
    }

    private Size minus(ScratchpadEntry entry) {
      return new Size(entries - 1, bytes - entry.bytes());
    }

    private Size plus(Size other) {
      return new Size(entries + other.entries, bytes + other.bytes);
    }
  }

  /// Bytes of the keys and values of a session's scratchpad. Cheap: kept in memory.
  public long bytes(SessionId session) {
    return size(session).bytes();
  }

  /// The sessions that have a scratchpad, by id.
  ///
  /// @param after continue after this session; empty to start
  public List<SessionId> sessions(Optional<SessionId> after, int limit) {
    return Stream.iterate(
            next(after),
            Optional::isPresent,
            session -> session.flatMap(one -> next(Optional.of(one))))
        .flatMap(Optional::stream)
        .limit(limit)
        .toList();
  }

  private Optional<SessionId> next(Optional<SessionId> after) {
    String all = context.owner().key(KIND, "");
    Optional<String> place = after.map(session -> all + session.value() + BEHIND);
    return context.records().records(all, place, 1).stream()
        .findFirst()
        .map(record ->
            new SessionId(record.key().substring(all.length(), record.key().indexOf(END))));
  }

  /// @throws MemoryException `CORRUPT_RECORD`
  Optional<ScratchpadEntry> entry(SessionId session, String name) {
    String key = prefix(session) + name;
    return context
        .records()
        .record(key)
        .map(value -> JsonRow.read(key, value, json -> entry(name, json)));
  }

  /// All entries, by key. Those that cannot be read are left out, and logged.
  Stream<ScratchpadEntry> entries(SessionId session) {
    String prefix = prefix(session);
    return rows(session)
        .flatMap(row -> readable(row, row.key().substring(prefix.length())).stream());
  }

  /// The keys of all entries.
  public List<String> keys(SessionId session) {
    String prefix = prefix(session);
    return rows(session).map(row -> row.key().substring(prefix.length())).toList();
  }

  private Stream<StoredRecord> rows(SessionId session) {
    String prefix = prefix(session);
    return Stream.iterate(
            context.records().records(prefix, Optional.empty(), STEP),
            page -> !page.isEmpty(),
            page -> context.records().records(prefix, Optional.of(page.getLast().key()), STEP))
        .flatMap(List::stream);
  }

  private static Optional<ScratchpadEntry> readable(StoredRecord row, String name) {
    try {
      return Optional.of(JsonRow.read(row.key(), row.value(), json -> entry(name, json)));
    } catch (MemoryException e) {
      e.rethrowUnless(ErrorCode.CORRUPT_RECORD);
      LOG.error("an entry of a scratchpad is left out: {}", e.getMessage());
      return Optional.empty();
    }
  }

  Size size(SessionId session) {
    return context
        .caches()
        .scratchpads
        .get(
            prefix(session),
            _ ->
                entries(session).map(entry -> Size.NONE.plus(entry)).reduce(Size.NONE, Size::plus));
  }

  /// Writes an entry. To be called while the workspace's mutex is held.
  ///
  /// @param before the entry in its place; empty if there is none
  void put(SessionId session, Optional<ScratchpadEntry> before, ScratchpadEntry entry) {
    Size size = size(session);
    context.commit(
        List.of(
            new Change.PutRecord(new StoredRecord(prefix(session) + entry.key(), json(entry)))));
    Size rest = before.map(size::minus).orElse(size);
    context.caches().scratchpads.put(prefix(session), rest.plus(entry));
  }

  /// Drops entries. To be called while the workspace's mutex is held.
  void drop(SessionId session, List<String> names) {
    String prefix = prefix(session);
    context.commit(
        names.stream().<Change>map(name -> new Change.DropRecord(prefix + name)).toList());
    context.caches().scratchpads.remove(prefix);
  }

  private static String json(ScratchpadEntry entry) {
    ObjectNode json = JsonRow.object();
    json.put("value", entry.value());
    JsonRow.put(json, "created_ms", entry.created());
    JsonRow.put(json, "updated_ms", entry.updated());
    return json.toString();
  }

  private static ScratchpadEntry entry(String name, JsonNode json) {
    return new ScratchpadEntry(
        name,
        JsonRow.required(json, "value"),
        JsonRow.requiredTime(json, "created_ms"),
        JsonRow.requiredTime(json, "updated_ms"));
  }

  private String prefix(SessionId session) {
    return context.owner().key(KIND, session.value() + END);
  }
}
