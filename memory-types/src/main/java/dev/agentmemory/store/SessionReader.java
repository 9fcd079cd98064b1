package dev.agentmemory.store;

import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.Session;
import dev.agentmemory.types.SessionId;
import java.util.List;
import java.util.Optional;

/// Reads sessions and the order of events inside one.
public interface SessionReader {

  /// @return empty when no event of the session exists
  Optional<Session> session(SessionId id);

  /// Sessions by the UTF-8 bytes of their id.
  ///
  /// @param after continue after this session; empty to start
  /// @param limit at most that many, 1 and up
  List<Session> sessions(Optional<SessionId> after, int limit);

  /// Events of one session behind a place, in time order.
  ///
  /// @param after not included; empty to start with the session's first event
  List<EventKey> eventsAfter(SessionId session, Optional<EventKey> after, int limit);

  /// Events of one session before a place: the nearest `limit` ones, in time order.
  ///
  /// @param before not included
  List<EventKey> eventsBefore(SessionId session, EventKey before, int limit);
}
