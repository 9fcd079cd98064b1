package dev.agentmemory.recall.exchange;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.github.f4b6a3.ulid.Ulid;
import dev.agentmemory.api.recall.MemoryContent;
import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.api.recall.MemoryLifetime;
import dev.agentmemory.api.recall.MemoryLinks;
import dev.agentmemory.api.recall.MemoryPlace;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.MemoryRecord.EmbeddingState;
import dev.agentmemory.api.recall.MemoryUse;
import dev.agentmemory.api.recall.Tag;
import dev.agentmemory.api.recall.Validity;
import dev.agentmemory.recall.internal.record.RecordJson;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.SessionId;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// A line of a `memory.jsonl` of another program:
///
/// ```
/// {"id":"mem_1","session_id":"s","timestamp":"2026-01-10T10:00:00Z","type":"decision",
///  "content":{"decision":"…","rationale":"…"},"importance":0.9,"decay_factor":1.0,
///  "tags":["a"],"references":["mem_0"],"checksum":"sha256:…"}
/// ```
///
/// Its decay factor and checksum are ignored: decay is computed when a memory is read, and the
/// checksum covers another form.
record ForeignLine(ObjectNode line) {

  private static final Set<String> OWN_FIELDS = Set.of("content", "timestamp", "type");
  private static final String TEXT = "text";
  private static final String ROLE = "role";

  /// The fields of `content` that are its text, the first that is there.
  private static final List<String> TEXTS =
      List.of("message", "decision", "finding", "preference", TEXT);

  private static final Map<String, MemoryKind> KINDS =
      Arrays.stream(MemoryKind.values())
          .collect(Collectors.toUnmodifiableMap(RecordJson::word, kind -> kind));

  /// Whether a line without `record` is of such a file, and no memory of this program.
  static boolean isOne(ObjectNode line) {
    return !line.has(TEXT) && OWN_FIELDS.stream().anyMatch(line::has);
  }

  /// @throws MemoryException naming the field that is missing or wrong
  MemoryRecord memory() {
    String session = RecordJson.text(line, "session_id");
    String id = RecordJson.text(line, "id");
    MemoryContent content = content(id);
    return new MemoryRecord(
        derived(session, id),
        MemoryPlace.WORKSPACE.from(SessionId.parse("session_id", session)),
        MemoryLifetime.SHORT_TERM,
        kind(),
        source(),
        content,
        line.hasNonNull("importance")
            ? RecordJson.decimal(line, "importance")
            : MemoryDraft.DEFAULT_IMPORTANCE,
        /* pinned= */ false,
        tags(),
        MemoryLinks.NONE.withReferences(
            texts("references").stream().map(name -> derived(session, name)).toList()),
        Validity.since(time()),
        MemoryUse.NEVER,
        EmbeddingState.PENDING,
        "");
  }

  /// The id that stands for the one of another program: a ULID that carries no time, derived from
  /// the session and that id, because such ids are counters within a session as often as not. A
  /// ULID stays what it is.
  static MemoryId derived(String session, String id) {
    if (isUlid(id)) {
      return MemoryId.parse("id", id);
    }
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(session.getBytes(StandardCharsets.UTF_8));
      digest.update((byte) 0);
      byte[] hash = digest.digest(id.getBytes(StandardCharsets.UTF_8));
      return MemoryId.of(new Ulid(0, Arrays.copyOf(hash, Ulid.RANDOM_BYTES)).toString());
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has SHA-256", e);
    }
  }

  private static boolean isUlid(String id) {
    return id.length() == EventId.LENGTH && Ulid.isValid(id);
  }

  private MemoryKind kind() {
    return Optional.ofNullable(KINDS.get(RecordJson.text(line, "type")))
        .orElseThrow(() ->
            refused(
                "type has an unknown value; expected conversation, decision, finding, preference or"
                    + " observation"));
  }

  /// Who said it, if the line tells.
  private String source() {
    return line.path("content").path(ROLE).asText("").isBlank()
        ? "import"
        : line.path("content").path(ROLE).asText();
  }

  private Set<Tag> tags() {
    return texts("tags").stream()
        .map(text -> Tag.parse("tags", text))
        .collect(Collectors.toUnmodifiableSet());
  }

  private List<String> texts(String field) {
    return line.hasNonNull(field) ? RecordJson.list(line, field, text -> text) : List.of();
  }

  /// A time without a zone is taken for one of UTC.
  private Instant time() {
    String text = RecordJson.text(line, "timestamp");
    try {
      return switch (DateTimeFormatter.ISO_DATE_TIME.parseBest(
          text, OffsetDateTime::from, LocalDateTime::from)) {
        case OffsetDateTime zoned -> zoned.toInstant();
        case LocalDateTime local -> local.toInstant(ZoneOffset.UTC);
        default -> throw refused("timestamp has no time");
      };
    } catch (DateTimeException e) {
      throw refused("timestamp is no time; expected ISO 8601 such as 2026-01-10T14:23:45.678Z");
    }
  }

  /// The text, and the rest as a structure with the id of the other program.
  private MemoryContent content(String id) {
    JsonNode said = RecordJson.required(line, "content");
    ObjectNode rest = RecordJson.object();
    if (said.isTextual()) {
      return new MemoryContent(said.textValue(), structure(rest, id));
    }
    if (!(said instanceof ObjectNode object)) {
      throw refused("content is neither an object nor a text");
    }
    rest.setAll(object);
    Optional<String> main =
        TEXTS.stream().filter(name -> object.path(name).isTextual()).findFirst();
    if (main.isEmpty()) {
      var all = new StringBuilder();
      addTexts(object, all);
      return new MemoryContent(all.toString().strip(), structure(rest, id));
    }
    rest.remove(main.get());
    return new MemoryContent(object.path(main.get()).textValue(), structure(rest, id));
  }

  private static Optional<String> structure(ObjectNode rest, String id) {
    if (!isUlid(id)) {
      rest.put("original_id", id);
    }
    return rest.isEmpty() ? Optional.empty() : Optional.of(RecordJson.write(rest));
  }

  private static void addTexts(JsonNode value, StringBuilder all) {
    if (value.isTextual()) {
      all.append(value.textValue()).append('\n');
    }
    value.forEach(element -> addTexts(element, all));
  }

  private static MemoryException refused(String why) {
    return new MemoryException(ErrorCode.INVALID_FIELD, why);
  }
}
