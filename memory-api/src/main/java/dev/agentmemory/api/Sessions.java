package dev.agentmemory.api;

import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.api.transcript.TranscriptPart;
import dev.agentmemory.api.transcript.TranscriptRequest;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.SegmentId;
import dev.agentmemory.types.Session;
import dev.agentmemory.types.SessionId;
import java.time.Instant;
import java.util.ArrayList;

/// Reads sessions and their segments.
public interface Sessions {

  /// Sessions by id.
  ///
  /// @param page 20 sessions by default, 1,000 at most
  Page<Session> list(PageRequest page);

  /// Sessions by their latest event, the latest first. Looks at all sessions: it takes some
  /// milliseconds for a thousand.
  ///
  /// @param page as for [#list]
  Page<Session> latest(PageRequest page);

  /// The sessions of subagents that were started by a session, by id: those whose id begins with
  /// its id and a colon. Of agents that give subagents other ids there are none.
  ///
  /// @param page as for [#list]
  Page<Session> startedBy(SessionId parent, PageRequest page);

  /// @throws dev.agentmemory.types.MemoryException `NOT_FOUND` when no event of it is stored
  Session session(SessionId id);

  /// A part of the events of a session. It ends early when its events are large.
  ///
  /// @throws dev.agentmemory.types.MemoryException `NOT_FOUND` when no event of the session is
  ///   stored, or it has no such event; `INVALID_TOKEN` if the token is not of this session
  TranscriptPart transcript(TranscriptRequest request);

  /// The segments of a session in the order of their time; none for an unknown session.
  ///
  /// @param page 20 segments by default, 1,000 at most
  Page<SegmentOutline> segments(SessionId session, PageRequest page);

  /// The segments of all sessions that begin in a time, by the day on which they begin and then by
  /// id.
  ///
  /// @param from included; taken as by [EventLog#between]
  /// @param to not included; taken in the same way
  /// @param page 20 segments by default, 1,000 at most
  Page<SegmentOutline> segments(Instant from, Instant to, PageRequest page);

  /// A segment with a part of its events: those of the overlap first, then its own. An open segment
  /// may grow between two pages.
  ///
  /// @param page its limit is ignored: a page ends when its events are large
  /// @throws dev.agentmemory.types.MemoryException `NOT_FOUND` when there is none
  SegmentPage segment(SegmentId id, PageRequest page);

  /// A whole segment, in as many calls as its size needs. It is what the last of them shows.
  ///
  /// @throws dev.agentmemory.types.MemoryException `NOT_FOUND` when there is none
  default SegmentView segment(SegmentId id) {
    var overlap = new ArrayList<Event>();
    var events = new ArrayList<Event>();
    PageRequest next = PageRequest.first();
    while (true) {
      SegmentPage page = segment(id, next);
      overlap.addAll(page.overlap());
      events.addAll(page.events());
      if (page.token().isEmpty()) {
        return new SegmentView(page.outline(), events, overlap);
      }
      next = new PageRequest(page.token(), 0);
    }
  }
}
