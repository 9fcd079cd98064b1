package dev.agentmemory.recall.injection;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentmemory.api.injection.Injection;
import dev.agentmemory.api.injection.InjectionMoment;
import dev.agentmemory.api.injection.InjectionSource;
import dev.agentmemory.recall.internal.record.RecordJson;
import dev.agentmemory.store.record.StoredRecord;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.SessionId;
import java.util.Optional;
import java.util.function.Function;

/// The row of what a session was told.
///
/// ```
/// injection:{owner}{session}\0{ts}:{ulid}
/// {"schema_version":1, "id":"01K...", "time_ms":0, "moment":"prompt", "source":"evidence",
///  "tokens":130, "text":"...", "citations":["evt:01K..."]}
/// ```
///
/// Without `text` when something that it rests on was erased. A session id has no control
/// characters, so no session's rows begin with those of another.
public final class InjectionRow {

  /// Of the rows of all sessions, before the owner.
  public static final String KIND = "injection:";

  private static final char END = '\0';
  private static final String TEXT = "text";
  private static final String CITATIONS = "citations";

  private InjectionRow() {}

  /// What the keys of a session's rows begin with.
  ///
  /// @param owner empty, or `@`, the name of a workspace and `/`
  public static String prefix(String owner, SessionId session) {
    return KIND + owner + session.value() + END;
  }

  static StoredRecord of(String prefix, Injection injection) {
    ObjectNode json =
        RecordJson.object()
            .put("schema_version", 1)
            .put("id", injection.id())
            .put("time_ms", injection.time().toEpochMilli())
            .put("moment", RecordJson.word(injection.moment()))
            .put("source", RecordJson.word(injection.source()))
            .put("tokens", injection.tokens());
    injection.text().ifPresent(text -> json.put(TEXT, text));
    var citations = json.putArray(CITATIONS);
    injection.citations().forEach(citations::add);
    return new StoredRecord(
        prefix + "%013d:%s".formatted(injection.time().toEpochMilli(), injection.id()),
        RecordJson.write(json));
  }

  /// @throws MemoryException `CORRUPT_RECORD`
  static Injection read(SessionId session, StoredRecord row) {
    ObjectNode json = RecordJson.parse(row.value());
    return new Injection(
        RecordJson.text(json, "id"),
        session,
        RecordJson.time(json, "time_ms"),
        RecordJson.constant(json, "moment", InjectionMoment.class),
        RecordJson.constant(json, "source", InjectionSource.class),
        (int) RecordJson.number(json, "tokens"),
        RecordJson.optionalText(json, TEXT),
        RecordJson.list(json, CITATIONS, Function.identity()));
  }

  /// Takes out of a row what it says.
  ///
  /// @param rests whether a citation names what it must not say
  /// @return the row without it; empty when it rests on none of it
  /// @throws MemoryException `CORRUPT_RECORD`
  public static Optional<StoredRecord> erased(StoredRecord row, Citations rests) {
    ObjectNode json = RecordJson.parse(row.value());
    boolean meant =
        RecordJson.list(json, CITATIONS, Function.identity()).stream().anyMatch(rests::has);
    if (!meant) {
      return Optional.empty();
    }
    json.remove(TEXT);
    json.putArray(CITATIONS);
    return Optional.of(new StoredRecord(row.key(), RecordJson.write(json)));
  }

  /// Some citations.
  public interface Citations {
    boolean has(String citation);
  }
}
