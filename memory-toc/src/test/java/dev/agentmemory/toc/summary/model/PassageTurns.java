package dev.agentmemory.toc.summary.model;

import dev.agentmemory.toc.summary.SegmentText;
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
public final class PassageTurns {

  private final List<Event> events = new ArrayList<>();
  private List<Event> before = List.of();

  /// A passage in which a service is moved; the events that most tests speak of.
  public static PassageTurns move() {
    return new PassageTurns()
        .user("Please move the billing service to Frankfurt before Friday, Ana needs it there.")
        .assistant(
            "I set max_idle to 40 in src/billing/Pool.java. The cause of the timeouts was a missing"
                + " index on orders.customer_id, which took 95 ms per query.")
        .tool("Tests run: 212, failures: 0\nBUILD SUCCESS")
        .user("Good. We decided not to deploy on Monday, because the auditors come.")
        .assistant("The billing service runs in Frankfurt now, with 3 replicas behind the proxy.");
  }

  public PassageTurns user(String text) {
    return add(EventType.USER_MESSAGE, EventRole.USER, text, Map.of());
  }

  PassageTurns assistant(String text) {
    return add(EventType.ASSISTANT_MESSAGE, EventRole.ASSISTANT, text, Map.of());
  }

  PassageTurns tool(String text) {
    return add(EventType.TOOL_RESULT, EventRole.TOOL, text, Map.of());
  }

  PassageTurns failedTool(String text) {
    return add(EventType.TOOL_RESULT, EventRole.TOOL, text, Map.of("failed", "true"));
  }

  /// Text of the program that runs an agent.
  PassageTurns system(String text) {
    return add(EventType.USER_MESSAGE, EventRole.SYSTEM, text, Map.of());
  }

  PassageTurns says(String speaker, EventRole role, String text) {
    return add(EventType.USER_MESSAGE, role, text, Map.of("speaker", speaker));
  }

  /// What was said so far becomes what was said right before.
  PassageTurns before() {
    before = List.copyOf(events);
    events.clear();
    return this;
  }

  private PassageTurns add(
      EventType type, EventRole role, String text, Map<String, String> metadata) {
    int number = events.size() + before.size();
    var id = new EventId("01" + "0".repeat(19) + (10_000 + number));
    var at = Instant.ofEpochSecond(1_760_000_000 + 60L * number);
    events.add(new Event(id, new SessionId("s"), at, type, role, text, metadata, Optional.empty()));
    return this;
  }

  public SegmentText passage() {
    return new SegmentText(events, before);
  }
}
