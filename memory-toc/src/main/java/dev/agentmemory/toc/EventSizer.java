package dev.agentmemory.toc;

import dev.agentmemory.toc.text.Graphemes;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.SegmentEntry;

/// What an event weighs in a segment, and the part of it that is read there: tool results are cut,
/// everything else is whole.
final class EventSizer {

  private final TokenCounter tokens;
  private final int maxToolResultChars;

  EventSizer(TokenCounter tokens, SegmentationConfig config) {
    this.tokens = tokens;
    this.maxToolResultChars = config.maxToolResultChars();
  }

  SegmentEntry entry(Event event) {
    int count = Math.max(1, tokens.count(cut(event).text()));
    return new SegmentEntry(event.key(), count, event.type() == EventType.SESSION_END);
  }

  /// The event as a summariser sees it. A cut text is a prefix, so what is quoted from it occurs in
  /// the stored event too.
  Event cut(Event event) {
    if (event.type() != EventType.TOOL_RESULT || event.text().length() <= maxToolResultChars) {
      return event;
    }
    return new Event(
        event.id(),
        event.session(),
        event.timestamp(),
        event.type(),
        event.role(),
        Graphemes.head(event.text(), maxToolResultChars),
        event.metadata(),
        event.agent());
  }
}
