package dev.agentmemory.engine.internal.local;

import dev.agentmemory.api.SegmentOutline;
import dev.agentmemory.api.SegmentPage;
import dev.agentmemory.api.Sessions;
import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.api.transcript.TranscriptPart;
import dev.agentmemory.api.transcript.TranscriptRequest;
import dev.agentmemory.store.StoreReader;
import dev.agentmemory.toc.SegmentFinder;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.Segment;
import dev.agentmemory.types.SegmentEntry;
import dev.agentmemory.types.SegmentId;
import dev.agentmemory.types.Session;
import dev.agentmemory.types.SessionId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The sessions and segments of a store.
public record LocalSessions(StoreReader store) implements Sessions {

  private static final int BY_DEFAULT = 20;
  private static final int MOST = 1000;

  /// Events of a segment are read in small steps, so that a page of the largest ones costs no more
  /// memory than a few of them.
  private static final int STEP = 64;

  @Override
  public Page<Session> list(PageRequest page) {
    Optional<SessionId> after = page.place(PageTokens::session);
    int limit = page.limit(BY_DEFAULT, MOST);
    return Page.of(
        store.sessions().sessions(after, limit + 1),
        limit,
        session -> PageTokens.afterSession(session.id()));
  }

  @Override
  public Page<Session> latest(PageRequest page) {
    return new SessionLists(store).latest(page, page.limit(BY_DEFAULT, MOST));
  }

  @Override
  public Page<Session> startedBy(SessionId parent, PageRequest page) {
    return new SessionLists(store).startedBy(parent, page, page.limit(BY_DEFAULT, MOST));
  }

  @Override
  public TranscriptPart transcript(TranscriptRequest request) {
    return new Transcripts(store).part(request);
  }

  @Override
  public Session session(SessionId id) {
    return store.sessions().session(id).orElseThrow(() -> missing("session", id.value()));
  }

  @Override
  public Page<SegmentOutline> segments(SessionId session, PageRequest page) {
    Optional<EventKey> after = page.place(token -> PageTokens.segment(session, token));
    int limit = page.limit(BY_DEFAULT, MOST);
    List<Segment> read = store.segments().segmentsAfter(session, after, limit + 1);
    return Page.of(read, limit, last -> PageTokens.afterSegment(session, last.first()))
        .map(SegmentOutline::of);
  }

  @Override
  public Page<SegmentOutline> segments(Instant from, Instant to, PageRequest page) {
    Optional<NodeId> after = page.place(PageTokens::foundSegment);
    Instant first = EventKey.nearest(from);
    Instant end = EventKey.nearest(to);
    if (!first.isBefore(end)) {
      return new Page<>(List.of(), "");
    }
    int limit = page.limit(BY_DEFAULT, MOST);
    List<Segment> read = new SegmentFinder(store).find(first, end, after, limit + 1);
    return Page.of(read, limit, last -> PageTokens.afterFoundSegment(last.node()))
        .map(SegmentOutline::of);
  }

  @Override
  public SegmentPage segment(SegmentId id, PageRequest page) {
    Optional<EventKey> after = page.place(token -> PageTokens.segmentEvent(id, token));
    Segment segment =
        store.segments().segment(id).orElseThrow(() -> missing("segment", id.value()));
    SegmentOutline outline = SegmentOutline.of(segment);
    List<EventKey> keys = behind(segment, after);
    var taken = new ArrayList<Event>();
    // Its ids come with each page.
    long bytes = EventSize.ofIds(outline.events()) + EventSize.ofIds(outline.overlap());
    for (int from = 0; from < keys.size(); from += STEP) {
      List<EventKey> step = keys.subList(from, Math.min(keys.size(), from + STEP));
      for (Event event : store.events().events(step)) {
        bytes += EventSize.of(event);
        if (bytes > EventSize.MOST && !taken.isEmpty()) {
          return page(
              segment, outline, taken, PageTokens.afterSegmentEvent(id, taken.getLast().key()));
        }
        taken.add(event);
      }
    }
    return page(segment, outline, taken, "");
  }

  /// The overlap lies before the segment's first event, so all of it is in time order.
  private static List<EventKey> behind(Segment segment, Optional<EventKey> after) {
    return Stream.concat(
            segment.overlap().stream(), segment.entries().stream().map(SegmentEntry::key))
        .filter(key -> after.isEmpty() || key.compareTo(after.get()) > 0)
        .toList();
  }

  private static SegmentPage page(
      Segment segment, SegmentOutline outline, List<Event> taken, String token) {
    return new SegmentPage(
        outline,
        taken.stream().filter(event -> event.key().compareTo(segment.first()) < 0).toList(),
        taken.stream().filter(event -> event.key().compareTo(segment.first()) >= 0).toList(),
        token);
  }

  static MemoryException missing(String what, String id) {
    return new MemoryException(ErrorCode.NOT_FOUND, "there is no " + what + " " + id);
  }
}
