package dev.agentmemory.store;

import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventKey;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Reads the event log. Keys name events by timestamp and id; their positions do not matter here,
/// except as the place behind which a range goes on.
public interface EventReader {

  /// @return the event, empty when the id is unknown
  Optional<Event> event(EventId id);

  /// Reads all at once: for keys whose events are known to be few or small.
  ///
  /// @return the events that exist, in the order of the keys
  List<Event> events(List<EventKey> keys);

  /// The longest beginning of the keys whose events weigh at most that much together, by
  /// [Event#chars]; of the events that exist at least one. No more than a few events beyond it are
  /// held meanwhile.
  ///
  /// @param maxChars 0 and up
  EventSlice events(List<EventKey> keys, long maxChars);

  /// Events of all sessions in the order of [EventKey]. Memory is bounded by the limit, also where
  /// many events share a millisecond.
  ///
  /// @param from first timestamp, included
  /// @param to last timestamp, not included
  /// @param after continue after this key instead of starting at `from`
  /// @param limit at most that many, 1 and up
  /// @return empty when nothing is in the range
  List<Event> events(Instant from, Instant to, Optional<EventKey> after, int limit);

  /// Where the events of [#events(Instant, Instant, Optional, int)] are, without reading them: for
  /// callers that want few of them.
  ///
  /// @return also the places of events that turn out to be unreadable, with position 0 where it
  ///   cannot be read either
  List<EventKey> eventKeys(Instant from, Instant to, Optional<EventKey> after, int limit);
}
