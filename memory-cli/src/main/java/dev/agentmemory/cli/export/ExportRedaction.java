package dev.agentmemory.cli.export;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.agentmemory.agents.event.AgentMetadata;
import dev.agentmemory.api.conversation.ConversationStatus;
import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.api.recall.MemoryLifetime;
import dev.agentmemory.api.recall.MemoryScope;
import dev.agentmemory.cli.reply.JsonForms;
import dev.agentmemory.types.Boundary;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventRole;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.TocLevel;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Replaces what people and agents wrote in the lines of an export that is given away.
///
/// Every string is replaced by its length and a keyed hash, unless it is a constant of this program
/// in a field that has such constants. So a field that is added later is replaced, too, until it is
/// listed here. Numbers, and so all times, stay.
///
/// The key is new for each export and is not kept: equal texts have equal hashes within one file,
/// and nobody can test a guess. Many ids are hashes of what was said, without a key. So the ULIDs
/// in ids are replaced by keyed ones, checksums are left out, and what links lines still does.
final class ExportRedaction {

  private static final String ALGORITHM = "HmacSHA256";
  private static final int KEY_BYTES = 32;

  /// As in the lines of `memory memories export --redact`.
  private static final int HASH_DIGITS = 24;

  private static final int WORKSPACE_DIGITS = 8;
  private static final String ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  private static final JsonFactory JSON = new JsonFactory();

  /// Fields whose values are constants of this program, or free text.
  private static final Set<String> CONSTANT_FIELDS =
      Set.of(
          "kind",
          "record",
          "event_type",
          "role",
          "level",
          "state",
          "boundary",
          "scope",
          "lifetime",
          "status",
          "source",
          "reason",
          "summarizer");

  private static final Set<String> CONSTANTS = constants();

  /// Fields that nobody but this program fills.
  private static final Set<String> PLAIN_FIELDS = Set.of("table", "program");

  private static final Set<String> ID_FIELDS =
      Set.of(
          "event_id",
          "event_ids",
          "overlap_event_ids",
          "first_event_id",
          "last_event_id",
          "segment_id",
          "node_id",
          "child_ids",
          "grip_id",
          "grip_ids",
          "id",
          "into",
          "references",
          "superseded_by",
          "evidence_events",
          "evidence_grips");

  private static final Pattern ID =
      Pattern.compile(
          "(?<prefix>seg:|grip:\\d{13}:|toc:segment:\\d{4}-\\d{2}-\\d{2}:)?"
              + "(?<ulid>[0-7][0-9A-HJKMNP-TV-Z]{25})(?<workspace>@.*)?");
  private static final Pattern PERIOD =
      Pattern.compile("(?<period>toc:(?:year|month|week|day):[0-9W:-]+)(?<workspace>@.*)?");

  /// Objects with keys that others choose.
  private static final Set<String> FREE_OBJECTS = Set.of("metadata", "custom");

  /// Objects that are texts in another form.
  private static final Set<String> TEXT_OBJECTS = Set.of("json");

  /// A checksum without a key would tell whether a guess is right.
  private static final Set<String> OMITTED = Set.of("checksum");

  /// Keys that the adapters of this program write.
  private static final Set<String> KNOWN_KEYS =
      Set.of(
          AgentMetadata.ORIGIN,
          AgentMetadata.TOOL,
          AgentMetadata.TOOL_INPUT,
          AgentMetadata.TOOL_USE,
          AgentMetadata.FAILED,
          AgentMetadata.TURN,
          AgentMetadata.DIRECTORY,
          AgentMetadata.PARENT,
          AgentMetadata.CHILD,
          AgentMetadata.REASON,
          AgentMetadata.KIND,
          AgentMetadata.TEXT_BYTES,
          AgentMetadata.TEXT_HASH,
          "speaker");

  private final SecretKeySpec key;

  /// @param key at least one byte
  ExportRedaction(byte[] key) {
    this.key = new SecretKeySpec(key, ALGORITHM);
  }

  /// With a key that nobody knows.
  static ExportRedaction withNewKey() {
    byte[] key = new byte[KEY_BYTES];
    new SecureRandom().nextBytes(key);
    return new ExportRedaction(key);
  }

  private static Set<String> constants() {
    Stream<Enum<?>> enums =
        Stream.<Enum<?>[]>of(
                EventType.values(),
                EventRole.values(),
                TocLevel.values(),
                Boundary.values(),
                MemoryKind.values(),
                MemoryScope.values(),
                MemoryLifetime.values(),
                ConversationStatus.values())
            .flatMap(Arrays::stream);
    Stream<String> words =
        Stream.of(
            // Kinds of lines.
            "export",
            "event",
            "session",
            "segment",
            "node",
            "grip",
            "missing",
            "damaged",
            "memory",
            "state",
            "merge",
            "tombstone",
            "channel",
            "conversation",
            "scratchpad",
            "unreadable",
            "end",
            // Kinds of selections.
            "workspace",
            "agent",
            "user",
            "topic",
            "time",
            // States of sessions.
            "open",
            "ended",
            // Sources that programs enter.
            "assistant",
            "system",
            "extraction",
            "consolidation",
            "import",
            "segment_summarizer",
            "extractive",
            // Reasons of former states.
            "update",
            "promotion",
            "supersession",
            "undo");
    return Stream.concat(enums.map(JsonForms::word), words).collect(Collectors.toUnmodifiableSet());
  }

  /// Redacts a line.
  ///
  /// @param line one JSON object
  String apply(String line) {
    var text = new StringWriter();
    try (JsonParser in = JSON.createParser(line);
        JsonGenerator out = JSON.createGenerator(text)) {
      in.nextToken();
      value(in, out, "", /* free= */ false);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }

  /// @param free whether others choose the names of fields here
  private void value(JsonParser in, JsonGenerator out, String field, boolean free)
      throws IOException {
    switch (in.currentToken()) {
      case START_OBJECT -> {
        if (!free && TEXT_OBJECTS.contains(field)) {
          text(out, whole(in));
        } else {
          object(in, out, free || FREE_OBJECTS.contains(field));
        }
      }
      case START_ARRAY -> {
        out.writeStartArray();
        while (in.nextToken() != JsonToken.END_ARRAY) {
          value(in, out, field, free);
        }
        out.writeEndArray();
      }
      case VALUE_STRING -> string(out, free ? "" : field, in.getText());
      default -> out.copyCurrentEvent(in);
    }
  }

  private void object(JsonParser in, JsonGenerator out, boolean free) throws IOException {
    out.writeStartObject();
    while (in.nextToken() == JsonToken.FIELD_NAME) {
      String name = in.currentName();
      in.nextToken();
      if (!free && OMITTED.contains(name)) {
        in.skipChildren();
      } else {
        out.writeFieldName(free && !KNOWN_KEYS.contains(name) ? "redacted-" + hash(name) : name);
        value(in, out, name, free);
      }
    }
    out.writeEndObject();
  }

  private static String whole(JsonParser in) throws IOException {
    var text = new StringWriter();
    try (JsonGenerator copy = JSON.createGenerator(text)) {
      copy.copyCurrentStructure(in);
    }
    return text.toString();
  }

  private void string(JsonGenerator out, String field, String value) throws IOException {
    boolean stays =
        value.isEmpty()
            || PLAIN_FIELDS.contains(field)
            || (CONSTANT_FIELDS.contains(field) && CONSTANTS.contains(value));
    if (stays) {
      out.writeString(value);
      return;
    }
    if (ID_FIELDS.contains(field)) {
      Matcher id = ID.matcher(value);
      if (id.matches()) {
        String prefix = id.group("prefix");
        out.writeString((prefix == null ? "" : prefix) + ulid(id.group("ulid")) + workspace(id));
        return;
      }
      Matcher period = PERIOD.matcher(value);
      if (period.matches()) {
        out.writeString(period.group("period") + workspace(period));
        return;
      }
    }
    text(out, value);
  }

  private String workspace(Matcher id) {
    String name = id.group("workspace");
    return name == null ? "" : "@" + hash(name).substring(0, WORKSPACE_DIGITS);
  }

  private void text(JsonGenerator out, String text) throws IOException {
    out.writeStartObject();
    out.writeBooleanField("redacted", true);
    out.writeNumberField("chars", text.codePointCount(0, text.length()));
    out.writeStringField("hash", hash(text));
    out.writeEndObject();
  }

  private String hash(String text) {
    return HexFormat.of().formatHex(mac("text", text)).substring(0, HASH_DIGITS);
  }

  private String ulid(String original) {
    byte[] bytes = mac("id", original);
    var text = new StringBuilder(EventId.LENGTH);
    for (int i = 0; i < EventId.LENGTH; i++) {
      // The first character of a ULID is 0 to 7.
      text.append(ALPHABET.charAt(bytes[i] & (i == 0 ? 7 : 31)));
    }
    return text.toString();
  }

  private byte[] mac(String purpose, String text) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      mac.update((purpose + '\0').getBytes(StandardCharsets.UTF_8));
      return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
    } catch (GeneralSecurityException e) {
      throw new AssertionError("every JDK has " + ALGORITHM, e);
    }
  }
}
