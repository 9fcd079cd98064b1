package dev.agentmemory.api.search;

import dev.agentmemory.types.EventRole;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.TocLevel;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.Set;

/// What a hit must be, besides matching. All of them hold together. Times are whole milliseconds,
/// as those of events are. [SearchRequest] and [ContextRequest] refuse blank agents and tags, tags
/// with a comma, and times in which nothing lies.
///
/// @param notSession of which nothing is found, nor memories that come from it
/// @param agent the agent that sent the event; of a memory, who made it
/// @param role of the event; a memory has none
/// @param after earliest time, included; a summary counts when it ends then or later
/// @param before latest time, not included; a summary counts when it starts earlier
/// @param level of summaries; asking for one asks for summaries only
/// @param kinds empty: events, or summaries when a level is asked for
/// @param tags all of them must be among the comma-separated ones of the event's metadata `tags`; a
///   memory must have each of them, or a tag below it
public record Filters(
    Optional<SessionId> session,
    Optional<SessionId> notSession,
    Optional<String> agent,
    Optional<EventRole> role,
    Optional<Instant> after,
    Optional<Instant> before,
    Optional<TocLevel> level,
    Set<HitKind> kinds,
    Set<String> tags) {

  /// Everything passes.
  public static final Filters NONE =
      new Filters(
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Set.of(),
          Set.of());

  public Filters {
    after = after.map(time -> time.truncatedTo(ChronoUnit.MILLIS));
    before = before.map(time -> time.truncatedTo(ChronoUnit.MILLIS));
    kinds = Set.copyOf(kinds);
    tags = Set.copyOf(tags);
  }

  public Filters withSession(SessionId changed) {
    return new Filters(
        Optional.of(changed), notSession, agent, role, after, before, level, kinds, tags);
  }

  public Filters withNotSession(SessionId changed) {
    return new Filters(
        session, Optional.of(changed), agent, role, after, before, level, kinds, tags);
  }

  public Filters withAgent(String changed) {
    return new Filters(
        session, notSession, Optional.of(changed), role, after, before, level, kinds, tags);
  }

  public Filters withRole(EventRole changed) {
    return new Filters(
        session, notSession, agent, Optional.of(changed), after, before, level, kinds, tags);
  }

  public Filters withAfter(Instant changed) {
    return new Filters(
        session, notSession, agent, role, Optional.of(changed), before, level, kinds, tags);
  }

  public Filters withBefore(Instant changed) {
    return new Filters(
        session, notSession, agent, role, after, Optional.of(changed), level, kinds, tags);
  }

  public Filters withLevel(TocLevel changed) {
    return new Filters(
        session, notSession, agent, role, after, before, Optional.of(changed), kinds, tags);
  }

  public Filters withKinds(Set<HitKind> changed) {
    return new Filters(session, notSession, agent, role, after, before, level, changed, tags);
  }

  public Filters withTags(Set<String> changed) {
    return new Filters(session, notSession, agent, role, after, before, level, kinds, changed);
  }
}
