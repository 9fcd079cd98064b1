package dev.agentmemory.recall.conversation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentmemory.api.recall.ChannelName;
import dev.agentmemory.recall.ChannelAlias;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Which channel was the default at what time, and how channels were renamed. With it a session's
/// channel follows from its events: a new default or a rename changes this record only, however
/// many sessions there are.
///
/// ```
/// meta:{owner}channels
/// {"schema_version":1, "defaults":[{"name":"general","since_ms":0}],
///  "renames":[{"from":"ops","to":"infra","until_ms":1769783400000,"pending":true}]}
/// ```
///
/// @param defaults in the order of time, at least one; the first one holds for all earlier times
/// @param renames in the order in which they were made; each leads to the present name
record ChannelHistory(List<DefaultChannel> defaults, List<Rename> renames) {

  /// Most entries of each list.
  static final int MOST = 1000;

  /// The default channel of a new workspace.
  static final ChannelName FIRST_DEFAULT = new ChannelName("general");

  static final ChannelHistory START =
      new ChannelHistory(List.of(new DefaultChannel(FIRST_DEFAULT, Instant.EPOCH)), List.of());

  ChannelHistory {
    defaults = List.copyOf(defaults);
    renames = List.copyOf(renames);
    if (defaults.isEmpty()) {
      throw new IllegalArgumentException("no default channel");
    }
  }

  /// @param name its present name
  record DefaultChannel(ChannelName name, Instant since) {}

  /// @param to the present name of the channel
  /// @param until when a channel of the old name came into being again: who named it then, or
  ///   later, meant that one. Empty while there is none
  /// @param pending whether memories may still have the old name
  record Rename(ChannelName from, ChannelName to, Optional<Instant> until, boolean pending) {

    boolean appliesTo(ChannelName name, Instant named) {
      return from.equals(name) && until.map(named::isBefore).orElse(true);
    }
  }

  /// The present name of a channel.
  ///
  /// @param name the name of it that was used
  /// @param named when it was used
  ChannelName resolve(ChannelName name, Instant named) {
    return renames.stream()
        .filter(rename -> rename.appliesTo(name, named))
        .findFirst()
        .map(Rename::to)
        .orElse(name);
  }

  /// The names that a channel had before its present one.
  List<ChannelAlias> formerNames(ChannelName present) {
    return renames.stream()
        .filter(rename -> rename.to().equals(present))
        .map(rename -> new ChannelAlias(rename.from(), rename.until()))
        .toList();
  }

  /// The channel of sessions that started at a time and name none.
  ChannelName defaultAt(Instant start) {
    return defaults.stream()
        .filter(entry -> !entry.since().isAfter(start))
        .reduce((earlier, later) -> later)
        .orElse(defaults.getFirst())
        .name();
  }

  ChannelName presentDefault() {
    return defaults.getLast().name();
  }

  /// The history with another default from a time on. Only the latest entries are kept.
  ChannelHistory withDefault(ChannelName name, Instant since) {
    if (name.equals(presentDefault())) {
      return this;
    }
    var changed = new ArrayList<>(defaults);
    changed.add(new DefaultChannel(name, since));
    return new ChannelHistory(
        changed.subList(Math.max(0, changed.size() - MOST), changed.size()), renames);
  }

  /// The history after a channel was created or another one got its name.
  ChannelHistory withTaken(ChannelName name, Instant time) {
    List<Rename> changed =
        renames.stream()
            .map(rename ->
                rename.from().equals(name) && rename.until().isEmpty()
                    ? new Rename(name, rename.to(), Optional.of(time), rename.pending())
                    : rename)
            .toList();
    return new ChannelHistory(defaults, changed);
  }

  /// The history after a channel was renamed, memories excepted.
  ChannelHistory withRename(ChannelName from, ChannelName to, Instant time) {
    var changed = new ArrayList<Rename>();
    for (Rename rename : withTaken(to, time).renames) {
      ChannelName present = rename.to().equals(from) ? to : rename.to();
      changed.add(new Rename(rename.from(), present, rename.until(), rename.pending()));
    }
    changed.add(new Rename(from, to, Optional.empty(), /* pending= */ true));
    List<DefaultChannel> renamed =
        defaults.stream()
            .map(entry -> entry.name().equals(from) ? new DefaultChannel(to, entry.since()) : entry)
            .toList();
    return new ChannelHistory(renamed, changed);
  }

  /// The history after memories were moved, too.
  ChannelHistory withoutPending() {
    return new ChannelHistory(
        defaults,
        renames.stream()
            .map(rename ->
                new Rename(rename.from(), rename.to(), rename.until(), /* pending= */ false))
            .toList());
  }

  String json() {
    ObjectNode json = JsonRow.object();
    ArrayNode times = json.putArray("defaults");
    for (DefaultChannel entry : defaults) {
      ObjectNode part = times.addObject().put("name", entry.name().value());
      JsonRow.put(part, "since_ms", entry.since());
    }
    ArrayNode names = json.putArray("renames");
    for (Rename rename : renames) {
      ObjectNode part = names.addObject().put("from", rename.from().value());
      part.put("to", rename.to().value());
      rename.until().ifPresent(time -> JsonRow.put(part, "until_ms", time));
      part.put("pending", rename.pending());
    }
    return json.toString();
  }

  static ChannelHistory of(JsonNode json) {
    var defaults = new ArrayList<DefaultChannel>();
    for (JsonNode part : json.path("defaults")) {
      defaults.add(new DefaultChannel(name(part, "name"), JsonRow.requiredTime(part, "since_ms")));
    }
    var renames = new ArrayList<Rename>();
    for (JsonNode part : json.path("renames")) {
      renames.add(
          new Rename(
              name(part, "from"),
              name(part, "to"),
              JsonRow.time(part, "until_ms"),
              JsonRow.flag(part, "pending").orElse(false)));
    }
    return new ChannelHistory(defaults, renames);
  }

  private static ChannelName name(JsonNode json, String field) {
    return new ChannelName(JsonRow.required(json, field));
  }
}
