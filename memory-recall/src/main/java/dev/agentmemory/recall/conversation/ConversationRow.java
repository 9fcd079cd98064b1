package dev.agentmemory.recall.conversation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentmemory.api.conversation.ConversationStatus;
import dev.agentmemory.api.conversation.RefCode;
import dev.agentmemory.api.conversation.SessionOverrides;
import dev.agentmemory.api.conversation.SessionPreferences;
import dev.agentmemory.api.recall.ChannelName;
import dev.agentmemory.types.Session;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// What is stored of a conversation, apart from its events.
///
/// ```
/// conversation:{owner}{session}
/// {"schema_version":1, "ref_code":"0aB...", "channel":{"name":"ops","since_ms":0},
///  "archived":{"at_ms":0,"events":7,"last_ms":0}, "user":"ann",
///  "preferences":{"language":"en","verbosity":"low","custom":{"tone":"dry"}},
///  "overrides":{"decay":true,"half_life_ms":0,"floor":0.1,"auto_compact":true,"compact_at":0.9},
///  "imported":{"status":"idle","started_ms":0,"ended_ms":0,"agent":"..."},
///  "last_compaction_ms":0}
/// ```
///
/// @param refCode empty until the conversation is shown for the first time
/// @param channel empty when it follows from the events
/// @param imported what an export said of it; counts only while no event of it is stored
record ConversationRow(
    Optional<RefCode> refCode,
    Optional<ChosenChannel> channel,
    Optional<Archiving> archived,
    Optional<String> user,
    SessionPreferences preferences,
    SessionOverrides overrides,
    Optional<Imported> imported,
    Optional<Instant> lastCompaction) {

  static final ConversationRow EMPTY =
      new ConversationRow(
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          SessionPreferences.NONE,
          SessionOverrides.NONE,
          Optional.empty(),
          Optional.empty());

  /// A channel that was chosen by a call.
  ///
  /// @param name the name that it had then
  record ChosenChannel(ChannelName name, Instant since) {}

  /// That the conversation was archived, and which events it had then.
  ///
  /// @param events how many
  /// @param last time of the latest one
  record Archiving(Instant at, long events, Instant last) {

    static Archiving of(Session session, Instant at) {
      return new Archiving(at, session.events(), session.last().timestamp());
    }

    /// For a conversation whose events may be stored later.
    ///
    /// @param last events up to then leave it archived
    static Archiving until(Instant last, Instant at) {
      return new Archiving(at, Long.MAX_VALUE, last);
    }

    /// Whether the session has no event that was stored later. Both are compared because the
    /// erasure of an event makes the count smaller.
    boolean holds(Session session) {
      return session.events() <= events && !session.last().timestamp().isAfter(last);
    }
  }

  /// What follows from the events of a conversation, as another store had it.
  record Imported(
      ConversationStatus status,
      Instant started,
      Optional<Instant> ended,
      Optional<String> agent) {}

  ConversationRow withImported(Imported changed) {
    return new ConversationRow(
        refCode,
        channel,
        archived,
        user,
        preferences,
        overrides,
        Optional.of(changed),
        lastCompaction);
  }

  ConversationRow withRefCode(RefCode changed) {
    return new ConversationRow(
        Optional.of(changed),
        channel,
        archived,
        user,
        preferences,
        overrides,
        imported,
        lastCompaction);
  }

  ConversationRow withChannel(ChannelName changed, Instant since) {
    return new ConversationRow(
        refCode,
        Optional.of(new ChosenChannel(changed, since)),
        archived,
        user,
        preferences,
        overrides,
        imported,
        lastCompaction);
  }

  ConversationRow withArchived(Archiving changed) {
    return new ConversationRow(
        refCode,
        channel,
        Optional.of(changed),
        user,
        preferences,
        overrides,
        imported,
        lastCompaction);
  }

  /// @param changed an empty text for none
  ConversationRow withUser(String changed) {
    return new ConversationRow(
        refCode,
        channel,
        archived,
        Optional.of(changed).filter(text -> !text.isEmpty()),
        preferences,
        overrides,
        imported,
        lastCompaction);
  }

  ConversationRow withPreferences(SessionPreferences changed) {
    return new ConversationRow(
        refCode, channel, archived, user, changed, overrides, imported, lastCompaction);
  }

  ConversationRow withOverrides(SessionOverrides changed) {
    return new ConversationRow(
        refCode, channel, archived, user, preferences, changed, imported, lastCompaction);
  }

  ConversationRow withLastCompaction(Instant changed) {
    return new ConversationRow(
        refCode, channel, archived, user, preferences, overrides, imported, Optional.of(changed));
  }

  String json() {
    ObjectNode json = JsonRow.object();
    refCode.ifPresent(code -> json.put("ref_code", code.value()));
    channel.ifPresent(chosen -> {
      ObjectNode part = json.putObject("channel");
      part.put("name", chosen.name().value());
      JsonRow.put(part, "since_ms", chosen.since());
    });
    archived.ifPresent(archiving -> {
      ObjectNode part = json.putObject("archived");
      JsonRow.put(part, "at_ms", archiving.at());
      part.put("events", archiving.events());
      JsonRow.put(part, "last_ms", archiving.last());
    });
    user.ifPresent(text -> json.put("user", text));
    if (!preferences.equals(SessionPreferences.NONE)) {
      json.set("preferences", json(preferences));
    }
    if (!overrides.equals(SessionOverrides.NONE)) {
      json.set("overrides", json(overrides));
    }
    imported.ifPresent(state -> json.set("imported", json(state)));
    lastCompaction.ifPresent(time -> JsonRow.put(json, "last_compaction_ms", time));
    return json.toString();
  }

  private static ObjectNode json(Imported state) {
    ObjectNode json = JsonRow.part();
    json.put("status", state.status().name().toLowerCase(Locale.ROOT));
    JsonRow.put(json, "started_ms", state.started());
    state.ended().ifPresent(time -> JsonRow.put(json, "ended_ms", time));
    state.agent().ifPresent(text -> json.put("agent", text));
    return json;
  }

  private static ObjectNode json(SessionPreferences preferences) {
    ObjectNode json = JsonRow.part();
    preferences.language().ifPresent(text -> json.put("language", text));
    preferences.verbosity().ifPresent(text -> json.put("verbosity", text));
    ObjectNode custom = json.putObject("custom");
    // Sorted, so that equal values give equal records.
    new TreeMap<>(preferences.custom()).forEach(custom::put);
    return json;
  }

  private static ObjectNode json(SessionOverrides overrides) {
    ObjectNode json = JsonRow.part();
    overrides.decay().ifPresent(value -> json.put("decay", value));
    overrides.halfLife().ifPresent(value -> json.put("half_life_ms", value.toMillis()));
    overrides.floor().ifPresent(value -> json.put("floor", value));
    overrides.autoCompact().ifPresent(value -> json.put("auto_compact", value));
    overrides.compactAt().ifPresent(value -> json.put("compact_at", value));
    return json;
  }

  static ConversationRow of(JsonNode json) {
    return new ConversationRow(
        JsonRow.text(json, "ref_code").map(RefCode::new),
        JsonRow.part(json, "channel").map(ConversationRow::chosen),
        JsonRow.part(json, "archived").map(ConversationRow::archiving),
        JsonRow.text(json, "user"),
        JsonRow.part(json, "preferences")
            .map(ConversationRow::preferences)
            .orElse(SessionPreferences.NONE),
        JsonRow.part(json, "overrides")
            .map(ConversationRow::overrides)
            .orElse(SessionOverrides.NONE),
        JsonRow.part(json, "imported").map(ConversationRow::imported),
        JsonRow.time(json, "last_compaction_ms"));
  }

  private static ChosenChannel chosen(JsonNode json) {
    return new ChosenChannel(
        new ChannelName(JsonRow.required(json, "name")), JsonRow.requiredTime(json, "since_ms"));
  }

  private static Archiving archiving(JsonNode json) {
    return new Archiving(
        JsonRow.requiredTime(json, "at_ms"),
        JsonRow.requiredNumber(json, "events"),
        JsonRow.requiredTime(json, "last_ms"));
  }

  private static Imported imported(JsonNode json) {
    return new Imported(
        ConversationStatus.valueOf(JsonRow.required(json, "status").toUpperCase(Locale.ROOT)),
        JsonRow.requiredTime(json, "started_ms"),
        JsonRow.time(json, "ended_ms"),
        JsonRow.text(json, "agent"));
  }

  private static SessionPreferences preferences(JsonNode json) {
    Map<String, String> custom = new HashMap<>();
    json.path("custom")
        .properties()
        .forEach(entry -> custom.put(entry.getKey(), entry.getValue().asText()));
    return new SessionPreferences(
        JsonRow.text(json, "language"), JsonRow.text(json, "verbosity"), custom);
  }

  private static SessionOverrides overrides(JsonNode json) {
    return new SessionOverrides(
        JsonRow.flag(json, "decay"),
        JsonRow.number(json, "half_life_ms").map(Duration::ofMillis),
        JsonRow.fraction(json, "floor"),
        JsonRow.flag(json, "auto_compact"),
        JsonRow.fraction(json, "compact_at"));
  }
}
