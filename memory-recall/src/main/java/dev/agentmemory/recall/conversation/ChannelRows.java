package dev.agentmemory.recall.conversation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentmemory.api.recall.ChannelName;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.record.StoredRecord;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The records of channels.
///
/// ```
/// channel:{owner}{name}   {"schema_version":1, "description":"...", "created_ms":0}
/// ```
final class ChannelRows {

  private static final Logger LOG = LoggerFactory.getLogger(ChannelRows.class);
  private static final String KIND = "channel";
  private static final String HISTORY = "meta";
  private static final String HISTORY_NAME = "channels";
  private static final int STEP = 256;

  private final ConversationContext context;

  ChannelRows(ConversationContext context) {
    this.context = context;
  }

  /// What is stored of a channel.
  record Row(String description, Instant created) {

    private String json() {
      ObjectNode json = JsonRow.object();
      json.put("description", description);
      JsonRow.put(json, "created_ms", created);
      return json.toString();
    }

    private static Row of(JsonNode json) {
      return new Row(
          JsonRow.text(json, "description").orElse(""), JsonRow.requiredTime(json, "created_ms"));
    }
  }

  /// A channel of one of several workspaces.
  ///
  /// @param prefix of the workspace's keys
  record Place(ChannelName name, String prefix) implements Comparable<Place> {

    @Override
    public int compareTo(Place other) {
      int byName = name.compareTo(other.name);
      return byName != 0 ? byName : prefix.compareTo(other.prefix);
    }
  }

  /// A history and the text that it was read from, which shows whether it is up to date.
  record ParsedHistory(String text, ChannelHistory history) {}

  Optional<Row> row(ChannelName name) {
    String key = context.owner().key(KIND, name.value());
    return context.records().record(key).map(value -> JsonRow.read(key, value, Row::of));
  }

  Change put(ChannelName name, Row row) {
    return new Change.PutRecord(
        new StoredRecord(context.owner().key(KIND, name.value()), row.json()));
  }

  Change drop(ChannelName name) {
    return new Change.DropRecord(context.owner().key(KIND, name.value()));
  }

  /// All records of channels. Those that cannot be read are left out, and logged.
  Map<Place, Row> all() {
    var rows = new TreeMap<Place, Row>();
    stored().forEach(record -> add(record, rows));
    return rows;
  }

  long count() {
    return stored().count();
  }

  private Stream<StoredRecord> stored() {
    String prefix = context.owner().key(KIND, "");
    return Stream.iterate(
            context.records().records(prefix, Optional.empty(), STEP),
            page -> !page.isEmpty(),
            page -> context.records().records(prefix, Optional.of(page.getLast().key()), STEP))
        .flatMap(List::stream);
  }

  private void add(StoredRecord record, Map<Place, Row> rows) {
    try {
      rows.put(place(record.key()), JsonRow.read(record.key(), record.value(), Row::of));
    } catch (MemoryException e) {
      e.rethrowUnless(ErrorCode.CORRUPT_RECORD);
      LOG.error("a channel is left out: {}", e.getMessage());
    }
  }

  private Place place(String key) {
    String rest = key.substring(context.owner().key(KIND, "").length());
    int slash = context.owner().all() ? rest.indexOf('/') : -1;
    String prefix = slash < 0 ? context.owner().prefix() : rest.substring(0, slash + 1);
    String name = rest.substring(slash + 1);
    return ChannelName.of(name)
        .map(valid -> new Place(valid, prefix))
        .orElseThrow(() ->
            new MemoryException(
                ErrorCode.CORRUPT_RECORD, "the record " + key + " names no channel"));
  }

  /// The history of a workspace.
  ///
  /// @param prefix of the workspace's keys
  ChannelHistory history(String prefix) {
    String key = historyKey(prefix);
    Optional<String> stored = context.records().record(key);
    if (stored.isEmpty()) {
      return ChannelHistory.START;
    }
    String text = stored.get();
    return context
        .caches()
        .histories
        .find(key)
        .filter(parsed -> parsed.text().equals(text))
        .orElseGet(() -> parsed(key, text))
        .history();
  }

  /// The history of the owner's workspace.
  ChannelHistory history() {
    return history(context.owner().prefix());
  }

  Change put(ChannelHistory history) {
    return new Change.PutRecord(
        new StoredRecord(historyKey(context.owner().prefix()), history.json()));
  }

  private ParsedHistory parsed(String key, String text) {
    var parsed = new ParsedHistory(text, JsonRow.read(key, text, ChannelHistory::of));
    context.caches().histories.put(key, parsed);
    return parsed;
  }

  private static String historyKey(String prefix) {
    return HISTORY + ":" + prefix + HISTORY_NAME;
  }
}
