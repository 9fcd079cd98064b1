package dev.agentmemory.recall.derive;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.record.RecordReader;
import dev.agentmemory.store.record.StoredRecord;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.Segment;
import dev.agentmemory.types.SegmentEntry;
import dev.agentmemory.types.SegmentId;
import dev.agentmemory.types.SessionId;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Which closed segments were extracted from. Rows:
///
/// ```
/// extract:{owner}segment:{session}\0{ulid}   events and content of a segment that is done
/// extract:{owner}session:{session}           events of the session's segments that are done, and
///                                            how many it had when all were read last
/// ```
///
/// A row that cannot be read counts as absent: the segment is read again, which adds nothing twice.
final class ExtractionProgress {

  /// Part of what identifies a segment's content. A higher number lets all segments be read again.
  private static final String FORM = "1";

  private static final String EVENTS = "events";
  private static final String ALL_READ = "all_read";
  private static final int HASH_CHARS = 16;
  private static final int PAGE = 1000;
  private static final JsonMapper JSON = new JsonMapper();

  private final RecordReader records;
  private final String segments;
  private final String sessions;

  /// @param owner empty in a store of one workspace; else `@`, the workspace's name and `/`
  ExtractionProgress(RecordReader records, String owner) {
    this.records = records;
    this.segments = "extract:" + owner + "segment:";
    this.sessions = "extract:" + owner + "session:";
  }

  /// A segment that is done.
  ///
  /// @param events how many it had
  /// @param content identifies them
  record Done(int events, String content) {

    static Done of(Segment segment) {
      MessageDigest hash = DerivedDrafts.sha256();
      hash.update(FORM.getBytes(StandardCharsets.UTF_8));
      for (SegmentEntry entry : segment.entries()) {
        hash.update(entry.key().id().value().getBytes(StandardCharsets.UTF_8));
      }
      String content = HexFormat.of().formatHex(hash.digest()).substring(0, HASH_CHARS);
      return new Done(segment.entries().size(), content);
    }
  }

  Optional<Done> segment(SessionId session, SegmentId id) {
    return records.record(key(session, id)).flatMap(ExtractionProgress::done);
  }

  /// The segments of a session that are done.
  Map<SegmentId, Done> segments(SessionId session) {
    String prefix = segments + session.value() + '\0';
    Map<SegmentId, Done> all = new HashMap<>();
    Optional<String> after = Optional.empty();
    List<StoredRecord> page;
    do {
      page = records.records(prefix, after, PAGE);
      for (StoredRecord row : page) {
        var id = new SegmentId(new EventId(row.key().substring(prefix.length())));
        done(row.value()).ifPresent(done -> all.put(id, done));
      }
      after = page.isEmpty() ? after : Optional.of(page.getLast().key());
    } while (page.size() == PAGE);
    return all;
  }

  /// How many events of a session are in segments that are done.
  long events(SessionId session) {
    return number(session, EVENTS);
  }

  /// How many events a session had when all of them were read last, whatever their segments; 0 if
  /// never.
  long allRead(SessionId session) {
    return number(session, ALL_READ);
  }

  private long number(SessionId session, String field) {
    return records
        .record(sessions + session.value())
        .flatMap(ExtractionProgress::read)
        .map(json -> json.path(field).asLong())
        .orElse(0L);
  }

  Change put(SessionId session, SegmentId id, Done done) {
    String value =
        JSON.createObjectNode()
            .put("schema_version", 1)
            .put("events", done.events())
            .put("content", done.content())
            .toString();
    return new Change.PutRecord(new StoredRecord(key(session, id), value));
  }

  Change drop(SessionId session, SegmentId id) {
    return new Change.DropRecord(key(session, id));
  }

  Change putEvents(SessionId session, long events) {
    return put(session, events, allRead(session));
  }

  Change putAllRead(SessionId session, long events) {
    return put(session, events(session), events);
  }

  private Change put(SessionId session, long events, long allRead) {
    ObjectNode row = JSON.createObjectNode().put("schema_version", 1).put(EVENTS, events);
    if (allRead > 0) {
      row.put(ALL_READ, allRead);
    }
    return new Change.PutRecord(new StoredRecord(sessions + session.value(), row.toString()));
  }

  private String key(SessionId session, SegmentId id) {
    return segments + session.value() + '\0' + id.firstEvent().value();
  }

  private static Optional<Done> done(String row) {
    return read(row)
        .map(json -> new Done(json.path("events").asInt(), json.path("content").asText()));
  }

  private static Optional<JsonNode> read(String row) {
    try {
      return Optional.of(JSON.readTree(row));
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
  }
}
