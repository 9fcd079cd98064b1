package dev.agentmemory.recall.internal.record;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentmemory.api.recall.ChannelName;
import dev.agentmemory.api.recall.MemoryContent;
import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.api.recall.MemoryLifetime;
import dev.agentmemory.api.recall.MemoryLinks;
import dev.agentmemory.api.recall.MemoryPlace;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.MemoryRecord.EmbeddingState;
import dev.agentmemory.api.recall.MemoryScope;
import dev.agentmemory.api.recall.MemoryUse;
import dev.agentmemory.api.recall.Tag;
import dev.agentmemory.api.recall.Validity;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.SessionId;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/// A memory as one JSON object:
///
/// ```
/// {"schema_version":1,"id":"01…","scope":"workspace","lifetime":"short_term","kind":"decision",
///  "source":"user","text":"…","json":{…},"importance":0.5,"pinned":false,"tags":["a.b"],
///  "references":["01…"],"evidence_events":["01…"],"evidence_grips":["grip:…"],"channel":"…",
///  "session":"…","created_ms":1,"updated_ms":1,"valid_from_ms":1,"superseded_at_ms":2,
///  "superseded_by":"01…","checksum":"sha256:…"}
/// ```
///
/// `json`, `channel`, `session` and the two `superseded_` fields are absent when the memory has
/// none. The checksum is a SHA-256 over the UTF-8 bytes of the object without the fields of
/// [#UNCHECKED], in the form of [CanonicalJson].
///
/// An object of an earlier schema version is verified as it is and then migrated.
public final class MemoryJson {

  /// Fields outside the checksum.
  static final Set<String> UNCHECKED =
      Set.of("checksum", "access_count", "last_access_ms", "embedding");

  /// The form that this program writes.
  public static final MemoryJson CURRENT = new MemoryJson(List.of());

  private static final String VERSION = "schema_version";
  private static final String CHECKSUM = "checksum";

  private final List<UnaryOperator<ObjectNode>> migrations;

  /// @param migrations the one at index i makes an object of schema version i + 1 one of i + 2
  public MemoryJson(List<UnaryOperator<ObjectNode>> migrations) {
    this.migrations = List.copyOf(migrations);
  }

  /// The schema version of what this form writes. It reads that one and all before it.
  public int version() {
    return migrations.size() + 1;
  }

  /// The row of a memory, with the checksum of its fields.
  public MemoryRow row(MemoryRecord memory) {
    ObjectNode json = fields(memory);
    String checksum = checksumOfAll(json);
    String text = RecordJson.write(json.put(CHECKSUM, checksum));
    return new MemoryRow(memory.withChecksum(checksum), text, Utf8.length(text));
  }

  /// A memory as it is stored.
  ///
  /// @param memory with its checksum
  /// @param bytes of the text
  public record MemoryRow(MemoryRecord memory, String text, int bytes) {}

  /// The object of a memory, with the checksum that the memory has.
  public ObjectNode node(MemoryRecord memory) {
    return fields(memory).put(CHECKSUM, memory.checksum());
  }

  private ObjectNode fields(MemoryRecord memory) {
    ObjectNode json = RecordJson.object();
    json.put(VERSION, version()).put("id", memory.id().value());
    json.put("scope", RecordJson.word(memory.place().scope()));
    memory.place().channel().ifPresent(channel -> json.put("channel", channel.value()));
    memory.place().session().ifPresent(session -> json.put("session", session.value()));
    json.put("lifetime", RecordJson.word(memory.lifetime()));
    json.put("kind", RecordJson.word(memory.kind())).put("source", memory.source());
    json.put("text", memory.content().text());
    memory.content().json().ifPresent(text -> json.set("json", RecordJson.parse(text)));
    json.put("importance", memory.importance()).put("pinned", memory.pinned());
    addAll(json.putArray("tags"), memory.tags().stream().sorted().toList());
    addAll(json.putArray("references"), memory.links().references());
    addAll(json.putArray("evidence_events"), memory.links().events());
    addAll(json.putArray("evidence_grips"), memory.links().grips());
    Validity validity = memory.validity();
    json.put("created_ms", validity.created().toEpochMilli());
    json.put("updated_ms", validity.updated().toEpochMilli());
    json.put("valid_from_ms", validity.validFrom().toEpochMilli());
    validity.supersededAt().ifPresent(time -> json.put("superseded_at_ms", time.toEpochMilli()));
    validity.supersededBy().ifPresent(id -> json.put("superseded_by", id.value()));
    return json;
  }

  private static void addAll(ArrayNode array, Collection<?> values) {
    values.forEach(value -> array.add(value.toString()));
  }

  /// Reads a memory that has never been read and has no vector.
  ///
  /// @param verify whether the checksum has to match
  /// @throws MemoryException `CORRUPT_RECORD`
  public MemoryRecord read(String row, boolean verify) {
    return read(RecordJson.parse(row), verify);
  }

  /// Reads a memory that has never been read and has no vector.
  ///
  /// @param verify whether the checksum has to match
  /// @throws MemoryException `CORRUPT_RECORD`
  public MemoryRecord read(ObjectNode stored, boolean verify) {
    long version = RecordJson.number(stored, VERSION);
    if (version < 1 || version > version()) {
      throw RecordJson.corrupt(
          "schema_version is %d; this program reads 1 to %d".formatted(version, version()));
    }
    if (verify) {
      verify(stored);
    }
    ObjectNode json = stored;
    for (int i = (int) version; i < version(); i++) {
      json = migrations.get(i - 1).apply(json).put(VERSION, i + 1);
    }
    MemoryRecord memory = memory(json);
    return version == version() ? memory : row(memory).memory();
  }

  private static void verify(ObjectNode stored) {
    String computed = checksum(stored);
    String kept = RecordJson.text(stored, CHECKSUM);
    if (!computed.equals(kept)) {
      throw RecordJson.corrupt("checksum is %s, computed %s".formatted(kept, computed));
    }
  }

  private static MemoryRecord memory(ObjectNode json) {
    try {
      MemoryScope scope = RecordJson.constant(json, "scope", MemoryScope.class);
      return new MemoryRecord(
          MemoryId.of(RecordJson.text(json, "id")),
          place(json, scope),
          RecordJson.constant(json, "lifetime", MemoryLifetime.class),
          RecordJson.constant(json, "kind", MemoryKind.class),
          RecordJson.text(json, "source"),
          new MemoryContent(
              RecordJson.text(json, "text"),
              Optional.ofNullable(json.get("json"))
                  .filter(node -> !node.isNull())
                  .map(RecordJson::write)),
          RecordJson.decimal(json, "importance"),
          RecordJson.bool(json, "pinned"),
          new LinkedHashSet<>(RecordJson.list(json, "tags", Tag::new)),
          links(json),
          validity(json),
          MemoryUse.NEVER,
          scope == MemoryScope.ACCOUNT ? EmbeddingState.NONE : EmbeddingState.PENDING,
          RecordJson.text(json, CHECKSUM));
    } catch (IllegalArgumentException e) {
      throw RecordJson.corrupt("a stored memory has an impossible value: " + e.getMessage());
    } catch (MemoryException e) {
      throw RecordJson.corrupt(String.valueOf(e.getMessage()));
    }
  }

  private static MemoryPlace place(ObjectNode json, MemoryScope scope) {
    return new MemoryPlace(
        scope,
        RecordJson.optionalText(json, "channel").map(ChannelName::new),
        RecordJson.optionalText(json, "session").map(SessionId::new));
  }

  private static MemoryLinks links(ObjectNode json) {
    return new MemoryLinks(
        RecordJson.list(json, "references", MemoryId::of),
        RecordJson.list(json, "evidence_events", EventId::new),
        RecordJson.list(json, "evidence_grips", GripId::new));
  }

  private static Validity validity(ObjectNode json) {
    return new Validity(
        RecordJson.time(json, "created_ms"),
        RecordJson.time(json, "updated_ms"),
        RecordJson.time(json, "valid_from_ms"),
        RecordJson.optionalTime(json, "superseded_at_ms"),
        RecordJson.optionalText(json, "superseded_by").map(MemoryId::of));
  }

  /// The checksum of an object, whatever checksum it has.
  ///
  /// @throws MemoryException `CORRUPT_RECORD` when a number cannot be in the canonical form
  public static String checksum(ObjectNode object) {
    return checksumOfAll(RecordJson.object().<ObjectNode>setAll(object).remove(UNCHECKED));
  }

  private static String checksumOfAll(ObjectNode checked) {
    try {
      byte[] canonical = CanonicalJson.of(checked).getBytes(StandardCharsets.UTF_8);
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(canonical);
      return "sha256:" + HexFormat.of().formatHex(hash);
    } catch (IllegalArgumentException e) {
      throw RecordJson.corrupt(String.valueOf(e.getMessage()));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has SHA-256", e);
    }
  }
}
