package dev.agentmemory.bench.agents;

import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventType;

/// A turn of a script that has to be stored.
///
/// @param text of a prompt or an answer all of it, of a tool's result a part that no other has
record Expected(EventType type, String text) {

  static Expected prompt(String text) {
    return new Expected(EventType.USER_MESSAGE, text);
  }

  static Expected answer(String text) {
    return new Expected(EventType.ASSISTANT_MESSAGE, text);
  }

  static Expected tool(String text) {
    return new Expected(EventType.TOOL_RESULT, text);
  }

  boolean isOf(Event event) {
    return event.type() == type
        && (type == EventType.TOOL_RESULT
            ? event.text().contains(text)
            : event.text().equals(text));
  }
}
