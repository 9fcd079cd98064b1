package dev.agentmemory.agents.event;

import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventRole;
import dev.agentmemory.types.EventType;
import java.util.Locale;

/// By whom or what a prompt was made.
public enum Origin {
  /// Typed by a person.
  PERSON,
  /// Sent by a program: `-p`, an SDK, a notification or a wake-up of the agent itself.
  PROGRAM,
  /// The task that an agent gives a subagent.
  AGENT,
  /// A command of the agent's own interface, or its output.
  COMMAND;

  /// Whether an event is the prompt of a person.
  public static boolean isOfPerson(Event event) {
    return event.type() == EventType.USER_MESSAGE && event.role() == EventRole.USER;
  }

  /// The value in the metadata.
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
