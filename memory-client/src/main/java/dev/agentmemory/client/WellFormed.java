package dev.agentmemory.client;

import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.UnicodeText;

/// Refuses texts that cannot be written as UTF-8. The wire format would replace half a surrogate
/// pair by a question mark, and the daemon could not detect that.
final class WellFormed {

  private WellFormed() {}

  /// @throws MemoryException `INVALID_FIELD` naming `event.<field>`
  static Event check(Event event) {
    check("event.text", event.text());
    event.agent().ifPresent(agent -> check("event.agent", agent));
    event
        .metadata()
        .forEach((key, value) -> {
          check("event.metadata", key);
          check("event.metadata[" + key + "]", value);
        });
    return event;
  }

  /// @return the same text
  /// @throws MemoryException `INVALID_FIELD` naming the field
  static String check(String field, String text) {
    if (UnicodeText.hasLoneSurrogate(text)) {
      throw MemoryException.invalid(field, "holds half a surrogate pair; send valid Unicode");
    }
    return text;
  }
}
