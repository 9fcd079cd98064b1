package dev.agentmemory.recall.derive;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.recall.extract.ExtractedStatement;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.record.RecordReader;
import dev.agentmemory.store.record.StoredRecord;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// The statements of turns that a model has revised. Rows:
///
/// ```
/// extract:{owner}refined:{session}\0{event}   places and kinds of the turn's statements
/// ```
///
/// A row replaces what the rules find in its turn, for ever: also when the segment is cut again,
/// and when no model is configured any more. It has places instead of texts, so that nothing of a
/// deleted memory is left in it. A row that cannot be read, or does not fit its event, counts as
/// absent.
final class RefinedTurns {

  private static final JsonMapper JSON = new JsonMapper();

  private final RecordReader records;
  private final String prefix;

  /// @param owner empty in a store of one workspace; else `@`, the workspace's name and `/`
  RefinedTurns(RecordReader records, String owner) {
    this.records = records;
    this.prefix = prefix(owner);
  }

  /// The statements of a turn; empty when no model has revised them.
  Optional<List<ExtractedStatement>> statements(Event event) {
    return row(event).flatMap(row -> read(row, event.text()));
  }

  private Optional<String> row(Event event) {
    try {
      return records.record(key(event));
    } catch (MemoryException e) {
      e.rethrowUnless(ErrorCode.CORRUPT_RECORD);
      return Optional.empty();
    }
  }

  Change put(Event event, List<ExtractedStatement> statements) {
    ObjectNode row = JSON.createObjectNode().put("schema_version", 1);
    ArrayNode list = row.putArray("statements");
    for (ExtractedStatement statement : statements) {
      list.addObject()
          .put("start", statement.start())
          .put("length", statement.text().length())
          .put("kind", statement.kind().name().toLowerCase(Locale.ROOT))
          .put("importance", statement.importance());
    }
    return new Change.PutRecord(new StoredRecord(key(event), row.toString()));
  }

  /// Removes the row of a turn whose text changes: its places are those of the former text.
  static Change drop(String owner, Event event) {
    return new Change.DropRecord(prefix(owner) + place(event));
  }

  private static String prefix(String owner) {
    return "extract:" + owner + "refined:";
  }

  private static String place(Event event) {
    return event.session().value() + '\0' + event.id().value();
  }

  private String key(Event event) {
    return prefix + place(event);
  }

  private static Optional<List<ExtractedStatement>> read(String row, String text) {
    try {
      List<ExtractedStatement> statements = new ArrayList<>();
      for (JsonNode one : JSON.readTree(row).required("statements")) {
        int start = one.required("start").asInt();
        statements.add(
            ExtractedStatement.quoted(
                MemoryKind.valueOf(one.required("kind").asText().toUpperCase(Locale.ROOT)),
                text,
                start,
                start + one.required("length").asInt(),
                one.required("importance").asDouble()));
      }
      return Optional.of(statements);
    } catch (JsonProcessingException | IllegalArgumentException | IndexOutOfBoundsException e) {
      return Optional.empty();
    }
  }
}
