package dev.agentmemory.recall.exchange;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentmemory.api.recall.ChannelName;
import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.api.recall.MemoryLifetime;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.MemoryScope;
import dev.agentmemory.api.recall.MemoryState;
import dev.agentmemory.api.recall.MemoryUse;
import dev.agentmemory.api.recall.Tag;
import dev.agentmemory.recall.internal.record.MemoryJson;
import dev.agentmemory.recall.internal.record.RecordJson;
import dev.agentmemory.recall.internal.record.Tombstone;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.WorkspaceName;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/// Reads lines of exports, of this version and earlier ones, and those of other programs.
///
/// @param memories the form of memories, with its migrations
/// @param migrations of the other lines, by their `record`: the one at index i makes an object of
///   schema version i + 1 one of i + 2. Absent: there is one version
record LineReading(MemoryJson memories, Map<String, List<UnaryOperator<ObjectNode>>> migrations) {

  static final LineReading CURRENT = new LineReading(MemoryJson.CURRENT, Map.of());

  private static final char BYTE_ORDER_MARK = '\uFEFF';
  private static final long MOST_STATE_NUMBER = 999_999;

  /// Fields that only lines have.
  private static final Set<String> AROUND =
      Set.of(LineForm.RECORD, LineForm.WORKSPACE, LineForm.LAST_ACCESS, LineForm.ACCESS_COUNT);

  LineReading {
    migrations = Map.copyOf(migrations);
  }

  /// Whether a line says nothing.
  boolean isBlank(String line) {
    return bare(line).isEmpty();
  }

  /// A line without what editors put around it.
  private static String bare(String line) {
    boolean marked = !line.isEmpty() && line.charAt(0) == BYTE_ORDER_MARK;
    return (marked ? line.substring(1) : line).strip();
  }

  /// @param workspace that the line is imported into
  /// @throws MemoryException saying why the line cannot be read
  /// @throws IllegalArgumentException when it has an impossible value
  ImportedLine read(String text, WorkspaceName workspace) {
    ObjectNode line =
        RecordJson.find(bare(text))
            .orElseThrow(() ->
                refused("is not one JSON object, or repeats a name; write each object in a line"));
    RecordJson.optionalText(line, LineForm.WORKSPACE)
        .filter(name -> !name.equals(workspace.value()))
        .ifPresent(_ -> {
          throw refused(
              "is of another workspace; import it there, or remove the field `workspace`");
        });
    if (line.has(LineForm.REDACTED)) {
      throw refused("is redacted, so there is nothing to import; export without redaction");
    }
    Optional<String> record = RecordJson.optionalText(line, LineForm.RECORD);
    if (record.isEmpty() && ForeignLine.isOne(line)) {
      return new ImportedLine.OfMemory(new ForeignLine(line).memory(), /* foreign= */ true);
    }
    return read(record.orElse(LineForm.MEMORY), line);
  }

  private ImportedLine read(String record, ObjectNode line) {
    return switch (record) {
      case LineForm.MEMORY -> new ImportedLine.OfMemory(memory(line), /* foreign= */ false);
      case LineForm.STATE -> state(present(record, line));
      case LineForm.MERGE -> merge(present(record, line));
      case LineForm.TOMBSTONE -> tombstone(present(record, line));
      case LineForm.CHANNEL ->
          new ImportedLine.OfChannel(ConversationLines.channel(present(record, line)));
      case LineForm.CONVERSATION ->
          new ImportedLine.OfConversation(ConversationLines.conversation(present(record, line)));
      case LineForm.SCRATCHPAD -> {
        ObjectNode present = present(record, line);
        yield new ImportedLine.OfScratchpad(
            ConversationLines.session(present), ConversationLines.entry(present));
      }
      case LineForm.UNREADABLE ->
          throw refused(
              "the exporting store could not read %d of its rows; see its log"
                  .formatted(RecordJson.number(line, "count")));
      default ->
          throw refused(
              "record has an unknown value; expected memory, state, merge, tombstone, channel,"
                  + " conversation or scratchpad");
    };
  }

  /// A line in the present form.
  private ObjectNode present(String record, ObjectNode line) {
    List<UnaryOperator<ObjectNode>> steps = migrations.getOrDefault(record, List.of());
    int version = version(line, steps.size() + 1);
    ObjectNode present = line;
    for (UnaryOperator<ObjectNode> step : steps.subList(version - 1, steps.size())) {
      present = step.apply(present);
    }
    return present;
  }

  private static int version(ObjectNode line, int latest) {
    long version = RecordJson.number(line, LineForm.VERSION);
    if (version > latest) {
      throw new MemoryException(
          ErrorCode.UNSUPPORTED_FORMAT,
          "schema_version is %d, and this program reads up to %d; import it with the version that wrote it, or a later one"
              .formatted(version, latest));
    }
    if (version < 1) {
      throw refused("schema_version is %d; expected 1 to %d".formatted(version, latest));
    }
    return (int) version;
  }

  private MemoryRecord memory(ObjectNode line) {
    ObjectNode object = RecordJson.object().setAll(line);
    object.remove(AROUND);
    long count =
        line.hasNonNull(LineForm.ACCESS_COUNT) ? RecordJson.number(line, LineForm.ACCESS_COUNT) : 0;
    if (count < 0) {
      throw MemoryException.invalid(LineForm.ACCESS_COUNT, "is below 0");
    }
    var use = new MemoryUse(RecordJson.optionalTime(line, LineForm.LAST_ACCESS), count);
    return verified(object).withUse(use);
  }

  /// A memory whose checksum matches, if there is one.
  private MemoryRecord verified(ObjectNode object) {
    if (version(object, memories.version()) == memories.version()) {
      checkWord(object, "scope", MemoryScope.values());
      checkWord(object, "kind", MemoryKind.values());
      checkWord(object, "lifetime", MemoryLifetime.values());
    }
    String computed = MemoryJson.checksum(object);
    if (!object.hasNonNull(LineForm.CHECKSUM)) {
      object.put(LineForm.CHECKSUM, computed);
    } else if (!RecordJson.text(object, LineForm.CHECKSUM).equals(computed)) {
      throw new MemoryException(
          ErrorCode.CORRUPT_RECORD,
          "checksum does not match the other fields; if you changed the line, remove the field"
              + " `checksum`");
    }
    if (version(object, memories.version()) == memories.version()) {
      parseFields(object);
    }
    return memories.read(object, /* verify= */ false);
  }

  /// Reads values as those of a request are read: a wrong one is refused by its field, and tags and
  /// ids get their canonical form.
  private static void parseFields(ObjectNode object) {
    parse(object, "channel", ChannelName::parse);
    parse(object, "session", (field, text) -> SessionId.parse(field, text).value());
    parse(object, "id", (field, text) -> MemoryId.parse(field, text).value());
    parse(object, "superseded_by", (field, text) -> MemoryId.parse(field, text).value());
    parseAll(object, "tags", Tag::parse);
    parseAll(object, "references", (field, text) -> MemoryId.parse(field, text).value());
    parseAll(object, "evidence_events", (field, text) -> EventId.parseStored(field, text).value());
    parseAll(object, "evidence_grips", LineReading::grip);
  }

  private static void parse(ObjectNode object, String field, BiFunction<String, String, ?> form) {
    RecordJson.optionalText(object, field)
        .ifPresent(text -> object.put(field, form.apply(field, text).toString()));
  }

  private static void parseAll(
      ObjectNode object, String field, BiFunction<String, String, ?> form) {
    List<String> values =
        RecordJson.list(object, field, text -> form.apply(field, text).toString());
    ArrayNode parsed = object.putArray(field);
    values.forEach(parsed::add);
  }

  private static String grip(String field, String text) {
    if (!GripId.isValid(text)) {
      throw MemoryException.invalid(field, "has an entry that is no id of a grip");
    }
    return text;
  }

  private static void checkWord(ObjectNode object, String field, Enum<?>[] constants) {
    String word = RecordJson.text(object, field);
    if (Arrays.stream(constants).noneMatch(one -> RecordJson.word(one).equals(word))) {
      throw refused(
          "%s has an unknown value; expected %s"
              .formatted(
                  field,
                  Arrays.stream(constants)
                      .map(RecordJson::word)
                      .collect(Collectors.joining(", "))));
    }
  }

  private ImportedLine state(ObjectNode line) {
    long number = RecordJson.number(line, "number");
    if (number < 1 || number > MOST_STATE_NUMBER) {
      throw refused("number is %d; expected 1 to %d".formatted(number, MOST_STATE_NUMBER));
    }
    if (!(RecordJson.required(line, "memory") instanceof ObjectNode memory)) {
      throw refused("memory is not an object");
    }
    return new ImportedLine.OfState(
        number,
        new MemoryState(
            verified(memory), RecordJson.time(line, "until_ms"), RecordJson.text(line, "reason")));
  }

  private static ImportedLine merge(ObjectNode line) {
    MemoryId id = plainId(line, "id");
    MemoryId into = plainId(line, "into");
    if (id.equals(into)) {
      throw refused("into is the same as id");
    }
    return new ImportedLine.OfMerge(id, into, isOfAccount(line));
  }

  private static ImportedLine tombstone(ObjectNode line) {
    return new ImportedLine.OfTombstone(
        new Tombstone(
            plainId(line, "id"),
            RecordJson.time(line, "deleted_ms"),
            RecordJson.text(line, "reason"),
            /* forgotten= */ true),
        isOfAccount(line));
  }

  private static MemoryId plainId(ObjectNode line, String field) {
    MemoryId id = MemoryId.parse(field, RecordJson.text(line, field));
    if (id.workspace().isPresent()) {
      throw MemoryException.invalid(field, "names a workspace; give a ULID alone");
    }
    return id;
  }

  private static boolean isOfAccount(ObjectNode line) {
    return line.hasNonNull(LineForm.ACCOUNT) && RecordJson.bool(line, LineForm.ACCOUNT);
  }

  private static MemoryException refused(String why) {
    return new MemoryException(ErrorCode.INVALID_FIELD, why);
  }
}
