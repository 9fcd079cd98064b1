package dev.agentmemory.api;

import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import java.time.Instant;
import java.util.Optional;

/// Reads events.
public interface EventLog {

  /// Events of all sessions in the order of their time. A page ends early when its events are
  /// large.
  ///
  /// @param from included; a time outside the range of event timestamps is replaced by the nearest
  ///   one ([dev.agentmemory.types.EventKey#nearest])
  /// @param to not included; treated in the same way
  /// @param page 50 events by default, 10,000 at most
  /// @throws dev.agentmemory.types.MemoryException `INVALID_TOKEN` if the token is not of this
  ///   range
  Page<Event> between(Instant from, Instant to, PageRequest page);

  /// @return empty when there is no such event
  Optional<Event> event(EventId id);
}
