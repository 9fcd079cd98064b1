package dev.agentmemory.api.forget;

import dev.agentmemory.api.recall.Tag;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.SessionId;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/// What has to be erased for good: events, and memories, with everything that was made of them.
///
/// Events and memories are named by their ids, or chosen by what the other parts say, which hold
/// together.
///
/// @param events ids of events
/// @param memories ids of curated memories
/// @param session all of it: events, memories, preferences, scratchpad
/// @param agent events that name it
/// @param topic a tag; memories with it or a tag below it, the events that they rest on, and events
///   with the tag
/// @param source memories from it, and the events that they rest on
/// @param after events and memories of then or later
/// @param before events and memories of earlier times
/// @param all the whole workspace
/// @param reason kept in the receipt, at most [#MAX_REASON] characters
public record Forgetting(
    Set<EventId> events,
    Set<MemoryId> memories,
    Optional<SessionId> session,
    Optional<String> agent,
    Optional<Tag> topic,
    Optional<String> source,
    Optional<Instant> after,
    Optional<Instant> before,
    boolean all,
    String reason) {

  public static final int MAX_REASON = 200;

  /// Most ids of events, and of memories, of one request.
  public static final int MAX_IDS = 10_000;

  /// @throws MemoryException `INVALID_FIELD` when nothing or too much is named, parts do not fit
  ///   together, or the reason is too long
  public Forgetting {
    events = Set.copyOf(events);
    memories = Set.copyOf(memories);
    boolean named = !events.isEmpty() || !memories.isEmpty();
    boolean chosen =
        session.isPresent()
            || agent.isPresent()
            || topic.isPresent()
            || source.isPresent()
            || after.isPresent()
            || before.isPresent();
    if (!named && !chosen && !all) {
      throw MemoryException.invalid(
          "forget",
          "names nothing; give ids, a session, an agent, a topic, a source or a time, or all of the"
              + " workspace");
    }
    if ((named && chosen) || (all && (named || chosen))) {
      throw MemoryException.invalid(
          "forget", "names ids, other parts or all together; send one request for each");
    }
    if (topic.isPresent() && source.isPresent()) {
      throw MemoryException.invalid(
          "forget.source", "cannot be given together with a topic; send one request for each");
    }
    if (events.size() > MAX_IDS || memories.size() > MAX_IDS) {
      throw MemoryException.invalid(
          "forget.event_ids",
          "and forget.memory_ids may have at most %d ids each; send several requests"
              .formatted(MAX_IDS));
    }
    if (after.isPresent() && before.isPresent() && !after.get().isBefore(before.get())) {
      throw MemoryException.invalid(
          "forget.after_ms",
          "is %s, not before forget.before_ms, %s".formatted(after.get(), before.get()));
    }
    if (reason.length() > MAX_REASON) {
      throw MemoryException.invalid(
          "forget.reason",
          "has %d characters; expected at most %d".formatted(reason.length(), MAX_REASON));
    }
  }

  private static Forgetting of(
      Set<EventId> events, Set<MemoryId> memories, Optional<SessionId> session, boolean all) {
    return new Forgetting(
        events,
        memories,
        session,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        all,
        "");
  }

  /// One event.
  public static Forgetting of(EventId event) {
    return of(Set.of(event), Set.of(), Optional.empty(), /* all= */ false);
  }

  /// One memory.
  public static Forgetting of(MemoryId memory) {
    return of(Set.of(), Set.of(memory), Optional.empty(), /* all= */ false);
  }

  /// A whole session.
  public static Forgetting of(SessionId session) {
    return of(Set.of(), Set.of(), Optional.of(session), /* all= */ false);
  }

  /// A whole workspace.
  public static Forgetting everything() {
    return of(Set.of(), Set.of(), Optional.empty(), /* all= */ true);
  }
}
