package dev.agentmemory.engine.internal.local;

import dev.agentmemory.api.transcript.TranscriptPart;
import dev.agentmemory.api.transcript.TranscriptPart.SegmentMark;
import dev.agentmemory.api.transcript.TranscriptRequest;
import dev.agentmemory.api.transcript.TranscriptRequest.Start;
import dev.agentmemory.store.StoreReader;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.Segment;
import dev.agentmemory.types.Session;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.TocNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Reads parts of sessions. The events of a session are found by their places, so a part costs what
/// it has, wherever it is; only a number of an event has to be counted.
record Transcripts(StoreReader store) {

  /// Events are read in small steps, so that a part of the largest ones costs no more memory than a
  /// few of them.
  private static final int STEP = 16;

  private static final int PLACES = 4096;
  private static final int SEGMENTS = 64;

  /// The places of a part, before the events are read.
  ///
  /// @param keys in time order, one more than asked for if there are more in the direction
  /// @param first index of the first of them
  private record Places(List<EventKey> keys, long first) {}

  TranscriptPart part(TranscriptRequest request) {
    SessionId id = request.session();
    Session session =
        store
            .sessions()
            .session(id)
            .orElseThrow(() -> LocalSessions.missing("session", id.value()));
    int most = request.most();
    return switch (request.start()) {
      case Start.AtBorder() ->
          request.backward()
              ? backward(session, Optional.of(session.last()), session.events(), most)
              : forward(session, Optional.empty(), 0, most);
      case Start.AtEvent(EventId event) -> {
        EventKey key = key(id, event);
        long index = index(id, key);
        yield request.backward()
            ? backward(session, Optional.of(key), index + 1, most)
            : forward(session, before(id, key), index, most);
      }
      case Start.AtIndex(long index) -> atIndex(session, index, request.backward(), most);
      case Start.Behind(String token) -> {
        PageTokens.TranscriptToken place = PageTokens.transcript(id, token);
        yield place.backward()
            ? backward(session, before(id, place.event()), place.index(), most)
            : forward(session, Optional.of(place.event()), place.index() + 1, most);
      }
    };
  }

  private EventKey key(SessionId session, EventId event) {
    return store
        .events()
        .event(event)
        .filter(found -> found.session().equals(session))
        .map(Event::key)
        .orElseThrow(
            () -> LocalSessions.missing("event", "%s in session %s".formatted(event, session)));
  }

  private Optional<EventKey> before(SessionId session, EventKey key) {
    return store.sessions().eventsBefore(session, key, 1).stream().findFirst();
  }

  /// How many events of the session are before a place.
  private long index(SessionId session, EventKey place) {
    long count = 0;
    Optional<EventKey> after = Optional.empty();
    while (true) {
      List<EventKey> keys = store.sessions().eventsAfter(session, after, PLACES);
      for (EventKey key : keys) {
        if (key.compareTo(place) >= 0) {
          return count;
        }
        count++;
      }
      if (keys.size() < PLACES) {
        return count;
      }
      after = Optional.of(keys.getLast());
    }
  }

  /// Behind the last event there is nothing; going back from there the last one comes first.
  private TranscriptPart atIndex(Session session, long index, boolean backward, int most) {
    Optional<EventKey> before = Optional.empty();
    long left = index;
    while (left > 0) {
      int step = (int) Math.min(left, PLACES);
      List<EventKey> keys = store.sessions().eventsAfter(session.id(), before, step);
      if (!keys.isEmpty()) {
        before = Optional.of(keys.getLast());
      }
      left -= keys.size();
      if (keys.size() < step) {
        break;
      }
    }
    long start = index - left;
    if (!backward) {
      return forward(session, before, start, most);
    }
    Optional<EventKey> last =
        store.sessions().eventsAfter(session.id(), before, 1).stream().findFirst();
    return last.isPresent()
        ? backward(session, last, start + 1, most)
        : backward(session, before, start, most);
  }

  /// @param after the event before the part
  /// @param first index of the first event of the part
  private TranscriptPart forward(Session session, Optional<EventKey> after, long first, int most) {
    List<EventKey> keys = store.sessions().eventsAfter(session.id(), after, most + 1);
    var taken = new ArrayList<Event>();
    long bytes = 0;
    int end = 0;
    int count = Math.min(most, keys.size());
    while (end < count) {
      List<EventKey> step = keys.subList(end, Math.min(end + STEP, count));
      List<Event> events = store.events().events(step);
      for (Event event : events) {
        bytes += EventSize.of(event);
        if (bytes > EventSize.MOST && !taken.isEmpty()) {
          end = place(keys, event);
          return made(session, new Places(keys.subList(0, end), first), taken, keys.size() > end);
        }
        taken.add(event);
      }
      end += step.size();
    }
    return made(session, new Places(keys.subList(0, count), first), taken, keys.size() > count);
  }

  private static int place(List<EventKey> keys, Event event) {
    int place = 0;
    while (!keys.get(place).id().equals(event.id())) {
      place++;
    }
    return place;
  }

  /// @param last the last event of the part
  /// @param end index of the event behind it
  private TranscriptPart backward(Session session, Optional<EventKey> last, long end, int most) {
    if (last.isEmpty()) {
      return made(session, new Places(List.of(), 0), List.of(), /* more= */ true);
    }
    List<EventKey> keys = new ArrayList<>();
    if (most > 1) {
      keys.addAll(store.sessions().eventsBefore(session.id(), last.get(), most - 1));
    }
    keys.add(last.get());
    var taken = new ArrayList<Event>();
    long bytes = 0;
    int begin = keys.size();
    while (begin > 0) {
      List<EventKey> step = keys.subList(Math.max(0, begin - STEP), begin);
      for (Event event : store.events().events(step).reversed()) {
        bytes += EventSize.of(event);
        if (bytes > EventSize.MOST && !taken.isEmpty()) {
          begin = place(keys, event) + 1;
          return madeBack(session, keys, begin, taken, end);
        }
        taken.addFirst(event);
      }
      begin -= step.size();
    }
    return madeBack(session, keys, 0, taken, end);
  }

  private TranscriptPart madeBack(
      Session session, List<EventKey> keys, int begin, List<Event> taken, long end) {
    List<EventKey> part = keys.subList(begin, keys.size());
    long first = Math.max(0, end - part.size());
    boolean more =
        !store.sessions().eventsAfter(session.id(), Optional.of(part.getLast()), 1).isEmpty();
    return made(session, new Places(part, first), taken, more);
  }

  /// @param more whether there are events behind the part
  private TranscriptPart made(Session session, Places places, List<Event> taken, boolean more) {
    SessionId id = session.id();
    if (places.keys().isEmpty()) {
      return new TranscriptPart(
          List.of(),
          places.first(),
          session.events(),
          Optional.empty(),
          Optional.empty(),
          List.of());
    }
    EventKey first = places.keys().getFirst();
    EventKey last = places.keys().getLast();
    long lastIndex = places.first() + places.keys().size() - 1;
    boolean before = before(id, first).isPresent();
    return new TranscriptPart(
        taken,
        places.first(),
        session.events(),
        before
            ? Optional.of(
                PageTokens.besideEvent(
                    id, new PageTokens.TranscriptToken(first, places.first(), true)))
            : Optional.empty(),
        more
            ? Optional.of(
                PageTokens.besideEvent(id, new PageTokens.TranscriptToken(last, lastIndex, false)))
            : Optional.empty(),
        marks(id, first, last));
  }

  private List<SegmentMark> marks(SessionId session, EventKey first, EventKey last) {
    List<SegmentMark> marks = new ArrayList<>();
    Optional<Segment> start = store.segments().segmentAt(session, first);
    start
        .filter(segment -> segment.last().compareTo(first) >= 0)
        .ifPresent(segment -> marks.add(mark(segment)));
    Optional<EventKey> after = start.map(Segment::first);
    while (true) {
      List<Segment> segments = store.segments().segmentsAfter(session, after, SEGMENTS);
      for (Segment segment : segments) {
        if (segment.first().compareTo(last) > 0) {
          return marks;
        }
        marks.add(mark(segment));
      }
      if (segments.size() < SEGMENTS) {
        return marks;
      }
      after = Optional.of(segments.getLast().first());
    }
  }

  private SegmentMark mark(Segment segment) {
    return new SegmentMark(
        segment.id(),
        segment.node(),
        store.toc().node(segment.node()).map(TocNode::title).filter(title -> !title.isBlank()),
        segment.first().id(),
        segment.last().id(),
        segment.boundary(),
        segment.tokens());
  }
}
