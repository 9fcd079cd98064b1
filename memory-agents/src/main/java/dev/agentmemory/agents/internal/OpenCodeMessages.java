package dev.agentmemory.agents.internal;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentmemory.agents.event.Origin;
import dev.agentmemory.types.Event;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// Messages of OpenCode, each `{info, parts}`, as its interface and its export give them.
public final class OpenCodeMessages {

  /// Positions of a message's parts lie between that of the message and that of the next one.
  private static final long PARTS = 10_000;

  private final TurnContext base;
  private final TurnIds ids;
  private final Optional<Instant> created;
  private final Origin origin;
  private final Predicate<Instant> unrecorded;
  private final List<Event> events = new ArrayList<>();

  private OpenCodeMessages(
      TurnContext base, TurnIds ids, PayloadFields session, Predicate<Instant> unrecorded) {
    this.base = base;
    this.ids = ids;
    this.unrecorded = unrecorded;
    this.created = created(session);
    this.origin = origin(session);
  }

  /// The events of messages, in their order. A fork begins with copies of its parent's messages:
  /// their ids are new, but their times are the parent's. Messages older than the session are
  /// therefore left to the parent.
  ///
  /// @param base session and metadata; the time is that of messages without one
  /// @param session what the agent says of the session
  /// @param unrecorded when what a tool was called with is left out
  public static List<Event> events(
      TurnContext base,
      TurnIds ids,
      PayloadFields session,
      JsonNode messages,
      Predicate<Instant> unrecorded) {
    var reading = new OpenCodeMessages(base, ids, session, unrecorded);
    long position = 1;
    for (JsonNode one : messages) {
      var message = PayloadFields.of(one);
      if (!reading.isCopied(message)) {
        reading.message(message, position);
      }
      position += PARTS;
    }
    return reading.events;
  }

  /// When a session was created, where the agent says it.
  public static Optional<Instant> created(PayloadFields session) {
    return time(session, "created").or(() -> session.time("time_created"));
  }

  /// The session that began a session, where it is a subagent's; else empty.
  public static String parent(PayloadFields session) {
    return session.text("parentID", "parent_id");
  }

  /// Who wrote the prompts of a session.
  public static Origin origin(PayloadFields session) {
    return parent(session).isEmpty() ? Origin.PERSON : Origin.AGENT;
  }

  private boolean isCopied(PayloadFields message) {
    Optional<Instant> said = time(message.at("info"), "created");
    return said.isPresent() && created.isPresent() && said.get().isBefore(created.get());
  }

  private void message(PayloadFields message, long position) {
    PayloadFields info = message.at("info");
    TurnContext turn = base.at(position).at(time(info, "created").orElse(base.time()));
    JsonNode parts = message.node("parts");
    if (info.text("role").equals("user")) {
      String said = CapturedText.said(OpenCodeParts.prompt(parts));
      TurnEvents.prompt(turn, ids.prompt(info.text("id"), said), said, origin)
          .ifPresent(events::add);
    } else if (info.text("role").equals("assistant")) {
      answer(turn, info, parts);
    }
  }

  private void answer(TurnContext turn, PayloadFields info, JsonNode parts) {
    long position = turn.position();
    for (JsonNode one : parts) {
      var part = PayloadFields.of(one);
      position = Math.min(position + 1, turn.position() + PARTS - 1);
      TurnContext at = turn.at(position).at(time(part, "start").orElse(turn.time()));
      if (part.text("type").equals("text")) {
        text(at, info, part).ifPresent(events::add);
      }
      OpenCodeParts.tool(part, unrecorded)
          .ifPresent(tool ->
              events.add(
                  TurnEvents.tool(
                      at.at(time(part.at("state"), "end").orElse(at.time())),
                      ids.tool(at.session().value(), tool.use()),
                      tool)));
    }
  }

  private Optional<Event> text(TurnContext at, PayloadFields info, PayloadFields part) {
    return info.flag("summary")
        ? TurnEvents.compaction(
            at, ids.compaction(part.text("id")), CapturedText.said(part.text("text")))
        : OpenCodeParts.answer(at, ids, part);
  }

  private static Optional<Instant> time(PayloadFields fields, String name) {
    return fields.at("time").time(name);
  }
}
