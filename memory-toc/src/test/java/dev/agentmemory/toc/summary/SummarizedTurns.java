package dev.agentmemory.toc.summary;

import dev.agentmemory.toc.summary.extractive.ExtractiveSummarizer;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventRole;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.SessionId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Builds passages for tests, a minute between two events.
public final class SummarizedTurns {

  private final List<Event> events = new ArrayList<>();

  public SummarizedTurns user(String text) {
    return add(EventType.USER_MESSAGE, EventRole.USER, text, Map.of());
  }

  public SummarizedTurns assistant(String text) {
    return add(EventType.ASSISTANT_MESSAGE, EventRole.ASSISTANT, text, Map.of());
  }

  public SummarizedTurns tool(String text) {
    return add(EventType.TOOL_RESULT, EventRole.TOOL, text, Map.of());
  }

  public SummarizedTurns failedTool(String text) {
    return add(EventType.TOOL_RESULT, EventRole.TOOL, text, Map.of("error", "true"));
  }

  /// Text of the program that runs an agent.
  public SummarizedTurns system(String text, String kind) {
    return add(EventType.USER_MESSAGE, EventRole.SYSTEM, text, Map.of("kind", kind));
  }

  public SummarizedTurns start(String text) {
    return add(EventType.SESSION_START, EventRole.SYSTEM, text, Map.of());
  }

  /// A turn of a talk among people; the first speaker has the role of the user.
  public SummarizedTurns says(String speaker, String text) {
    boolean user = events.isEmpty() || events.getFirst().metadata().containsValue(speaker);
    return user
        ? add(EventType.USER_MESSAGE, EventRole.USER, text, Map.of("speaker", speaker))
        : add(EventType.ASSISTANT_MESSAGE, EventRole.ASSISTANT, text, Map.of("speaker", speaker));
  }

  private SummarizedTurns add(
      EventType type, EventRole role, String text, Map<String, String> metadata) {
    long number = events.size();
    var id = new EventId("01" + "0".repeat(19) + (10_000 + number));
    var at = Instant.ofEpochSecond(1_760_000_000 + 60 * number);
    events.add(new Event(id, new SessionId("s"), at, type, role, text, metadata, Optional.empty()));
    return this;
  }

  SegmentText passage() {
    return new SegmentText(events, List.of());
  }

  /// The text of an event.
  public String text(int index) {
    return events.get(index).text();
  }

  public Summary summary() {
    return new ExtractiveSummarizer().summarize(passage());
  }

  public List<String> bullets() {
    return summary().points().stream().map(Point::text).toList();
  }
}
