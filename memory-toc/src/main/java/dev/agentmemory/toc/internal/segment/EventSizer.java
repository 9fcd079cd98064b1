package dev.agentmemory.toc.internal.segment;

import dev.agentmemory.text.Graphemes;
import dev.agentmemory.text.SpeakerKind;
import dev.agentmemory.toc.segment.SegmentationConfig;
import dev.agentmemory.toc.segment.TokenCounter;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.SegmentEntry;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// What an event weighs in a segment, and the part of it that is read there: tool results are cut,
/// any other text is whole. Metadata is bounded too: a segment may have thousands of events.
public final class EventSizer {

  /// Units of metadata that are kept; of more, only who speaks and how.
  private static final int MOST_METADATA = 2000;

  private static final Set<String> KEPT =
      Set.of("speaker", "kind", "origin", "tool", "failed", "error");
  private static final int LONGEST_KEPT = 200;

  private final TokenCounter tokens;
  private final int maxToolResultChars;

  public EventSizer(TokenCounter tokens, SegmentationConfig config) {
    this.tokens = tokens;
    this.maxToolResultChars = config.maxToolResultChars();
  }

  public SegmentEntry entry(Event event) {
    int count = Math.max(1, tokens.count(cut(event).text()));
    return new SegmentEntry(event.key(), count, kind(event));
  }

  private static SegmentEntry.Kind kind(Event event) {
    if (event.type() == EventType.SESSION_END) {
      return SegmentEntry.Kind.END;
    }
    return switch (SpeakerKind.of(event)) {
      case PERSON -> event.text().isBlank() ? SegmentEntry.Kind.OTHER : SegmentEntry.Kind.PERSON;
      case ASSISTANT ->
          event.text().isBlank() ? SegmentEntry.Kind.OTHER : SegmentEntry.Kind.ASSISTANT;
      case TOOL -> SegmentEntry.Kind.TOOL;
      case PROGRAM, COMPACTION, NONE -> SegmentEntry.Kind.OTHER;
    };
  }

  /// The event as a summariser sees it. A cut text is a prefix, so what is quoted from it occurs in
  /// the stored event too.
  public Event cut(Event event) {
    boolean longResult =
        event.type() == EventType.TOOL_RESULT && event.text().length() > maxToolResultChars;
    boolean muchMetadata = event.chars() - event.text().length() > MOST_METADATA;
    if (!longResult && !muchMetadata) {
      return event;
    }
    return event.withContent(
        longResult ? Graphemes.head(event.text(), maxToolResultChars) : event.text(),
        muchMetadata ? kept(event) : event.metadata());
  }

  private static Map<String, String> kept(Event event) {
    Map<String, String> kept = new TreeMap<>(event.metadata());
    kept.keySet().retainAll(KEPT);
    kept.values().removeIf(value -> value.length() > LONGEST_KEPT);
    return kept;
  }
}
