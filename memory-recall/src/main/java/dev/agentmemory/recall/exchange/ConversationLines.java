package dev.agentmemory.recall.exchange;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentmemory.api.conversation.Channel;
import dev.agentmemory.api.conversation.ConversationChange;
import dev.agentmemory.api.conversation.ConversationStatus;
import dev.agentmemory.api.conversation.ConversationView;
import dev.agentmemory.api.conversation.RefCode;
import dev.agentmemory.api.conversation.ScratchpadEntry;
import dev.agentmemory.api.conversation.SessionOverrides;
import dev.agentmemory.api.conversation.SessionPreferences;
import dev.agentmemory.api.recall.ChannelName;
import dev.agentmemory.recall.internal.record.RecordJson;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.SessionId;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Channels, conversations and entries of scratchpads as objects of lines.
final class ConversationLines {

  private static final String SESSION = "session_id";
  private static final String DECAY = "decay";
  private static final String AUTO_COMPACT = "auto_compact";
  private static final String FLOOR = "floor";
  private static final String COMPACT_AT = "compact_at";
  private static final String HALF_LIFE = "half_life_ms";
  private static final String CREATED = "created_ms";

  private ConversationLines() {}

  static void put(ObjectNode line, Channel channel) {
    line.put("name", channel.name().value()).put("description", channel.description());
    line.put("is_default", channel.isDefault());
    line.put(CREATED, channel.created().toEpochMilli());
  }

  static Channel channel(ObjectNode line) {
    return new Channel(
        ChannelName.parse("name", RecordJson.text(line, "name")),
        RecordJson.optionalText(line, "description").orElse(""),
        RecordJson.bool(line, "is_default"),
        time(line, CREATED));
  }

  static void put(ObjectNode line, SessionId session, ScratchpadEntry entry) {
    line.put(SESSION, session.value()).put("key", entry.key());
    // As a text: a value keeps the notation in which it was written.
    line.put("value", entry.value());
    line.put(CREATED, entry.created().toEpochMilli());
    line.put("updated_ms", entry.updated().toEpochMilli());
  }

  static SessionId session(ObjectNode line) {
    return SessionId.parse(SESSION, RecordJson.text(line, SESSION));
  }

  static ScratchpadEntry entry(ObjectNode line) {
    return new ScratchpadEntry(
        RecordJson.text(line, "key"),
        RecordJson.text(line, "value"),
        time(line, CREATED),
        time(line, "updated_ms"));
  }

  static void put(ObjectNode line, ConversationView conversation) {
    line.put(SESSION, conversation.session().value());
    line.put("ref_code", conversation.refCode().value());
    line.put("channel", conversation.channel().value());
    line.put("status", RecordJson.word(conversation.status()));
    line.put("started_ms", conversation.startedAt().toEpochMilli());
    conversation.endedAt().ifPresent(time -> line.put("ended_ms", time.toEpochMilli()));
    conversation.agent().ifPresent(agent -> line.put("agent", agent));
    conversation.user().ifPresent(user -> line.put("user", user));
    if (!conversation.preferences().equals(SessionPreferences.NONE)) {
      put(line.putObject("preferences"), conversation.preferences());
    }
    if (!conversation.overrides().equals(SessionOverrides.NONE)) {
      put(line.putObject("overrides"), conversation.overrides());
    }
  }

  private static void put(ObjectNode part, SessionPreferences preferences) {
    preferences.language().ifPresent(text -> part.put("language", text));
    preferences.verbosity().ifPresent(text -> part.put("verbosity", text));
    ObjectNode custom = part.putObject("custom");
    // Sorted, so that equal values give equal lines.
    new TreeMap<>(preferences.custom()).forEach(custom::put);
  }

  private static void put(ObjectNode part, SessionOverrides overrides) {
    overrides.decay().ifPresent(value -> part.put(DECAY, value));
    overrides.halfLife().ifPresent(value -> part.put(HALF_LIFE, value.toMillis()));
    overrides.floor().ifPresent(value -> part.put(FLOOR, value));
    overrides.autoCompact().ifPresent(value -> part.put(AUTO_COMPACT, value));
    overrides.compactAt().ifPresent(value -> part.put(COMPACT_AT, value));
  }

  static ConversationView conversation(ObjectNode line) {
    return new ConversationView(
        session(line),
        RefCode.parse("ref_code", RecordJson.text(line, "ref_code")),
        ChannelName.parse("channel", RecordJson.text(line, "channel")),
        status(RecordJson.text(line, "status")),
        time(line, "started_ms"),
        RecordJson.optionalTime(line, "ended_ms"),
        RecordJson.optionalText(line, "agent"),
        user(line),
        part(line, "preferences")
            .map(ConversationLines::preferences)
            .orElse(SessionPreferences.NONE),
        part(line, "overrides").map(ConversationLines::overrides).orElse(SessionOverrides.NONE));
  }

  private static Optional<String> user(ObjectNode line) {
    Optional<String> user = RecordJson.optionalText(line, "user");
    // A change checks its user.
    user.ifPresent(text -> {
      var _ = ConversationChange.ofUser(text);
    });
    return user;
  }

  private static ConversationStatus status(String word) {
    for (ConversationStatus status : ConversationStatus.values()) {
      if (RecordJson.word(status).equals(word)) {
        return status;
      }
    }
    throw MemoryException.invalid(
        "status", "has an unknown value; expected active, idle or archived");
  }

  private static SessionPreferences preferences(ObjectNode part) {
    Map<String, String> custom = new HashMap<>();
    part(part, "custom")
        .ifPresent(entries ->
            entries
                .fieldNames()
                .forEachRemaining(name -> custom.put(name, RecordJson.text(entries, name))));
    return new SessionPreferences(
        RecordJson.optionalText(part, "language"),
        RecordJson.optionalText(part, "verbosity"),
        custom);
  }

  private static SessionOverrides overrides(ObjectNode part) {
    return new SessionOverrides(
        flag(part, DECAY),
        part.hasNonNull(HALF_LIFE)
            ? Optional.of(Duration.ofMillis(RecordJson.number(part, HALF_LIFE)))
            : Optional.empty(),
        fraction(part, FLOOR),
        flag(part, AUTO_COMPACT),
        fraction(part, COMPACT_AT));
  }

  private static Optional<Boolean> flag(ObjectNode part, String field) {
    return part.hasNonNull(field) ? Optional.of(RecordJson.bool(part, field)) : Optional.empty();
  }

  private static Optional<Double> fraction(ObjectNode part, String field) {
    return part.hasNonNull(field) ? Optional.of(RecordJson.decimal(part, field)) : Optional.empty();
  }

  private static Optional<ObjectNode> part(ObjectNode object, String field) {
    if (!object.hasNonNull(field)) {
      return Optional.empty();
    }
    if (object.get(field) instanceof ObjectNode part) {
      return Optional.of(part);
    }
    throw MemoryException.invalid(field, "is not an object");
  }

  private static Instant time(ObjectNode line, String field) {
    return RecordJson.time(line, field);
  }
}
