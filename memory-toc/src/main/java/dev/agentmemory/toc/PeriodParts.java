package dev.agentmemory.toc;

import dev.agentmemory.store.StoreReader;
import dev.agentmemory.toc.summary.PeriodPart;
import dev.agentmemory.toc.summary.Strand;
import dev.agentmemory.types.Bullet;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.Grip;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.Segment;
import dev.agentmemory.types.Session;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.Span;
import dev.agentmemory.types.TocLevel;
import dev.agentmemory.types.TocNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Reads the parts of periods, with the strand of each of their bullets: the session of the segment
/// that its first grip was made for, or the session above it if that of a subagent stands behind a
/// slash. A segment never changes its session, so that is remembered. Used by one thread at a time.
final class PeriodParts {

  private static final int REMEMBERED = 10_000;

  /// Of the segments of a session in a week so many are looked at for a title.
  private static final int LOOKED_AT = 8;

  private static final EventId FIRST_ID = new EventId("0".repeat(EventId.LENGTH));

  private final StoreReader store;
  private final Map<NodeId, SessionId> known =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<NodeId, SessionId> eldest) {
          return size() > REMEMBERED;
        }
      };

  PeriodParts(StoreReader store) {
    this.store = store;
  }

  List<PeriodPart> of(TocNode period) {
    List<TocNode> children = store.toc().nodes(period.children());
    if (period.level() == TocLevel.DAY) {
      return children.stream()
          .map(child -> PeriodPart.of(child, new Strand(id(child.id()), child.title())))
          .toList();
    }
    var titles = new HashMap<String, String>();
    var parts = new ArrayList<PeriodPart>();
    for (TocNode child : children) {
      List<Strand> strands =
          child.bullets().stream().map(bullet -> strand(bullet, child, period, titles)).toList();
      parts.add(new PeriodPart(child, strands));
    }
    return parts;
  }

  /// @param titles those of the strands that were met before
  private Strand strand(Bullet bullet, TocNode child, TocNode period, Map<String, String> titles) {
    Optional<NodeId> segment = bullet.grips().stream().findFirst().flatMap(this::segment);
    if (segment.isEmpty()) {
      return new Strand(child.id().value(), "");
    }
    String id = id(segment.get());
    // Only the text of a week names its strands.
    String title =
        period.level() == TocLevel.WEEK
            ? titles.computeIfAbsent(id, _ -> title(segment.get(), period.span()))
            : "";
    return new Strand(id, title);
  }

  /// The segment for which a grip was made; empty when the grip cannot be read.
  private Optional<NodeId> segment(GripId grip) {
    try {
      return store.grips().grip(grip).map(Grip::node);
    } catch (MemoryException e) {
      e.rethrowUnless(ErrorCode.CORRUPT_RECORD);
      return Optional.empty();
    }
  }

  /// The title of the strand's first segment in a week that says something. No segment outside the
  /// week counts: a change there does not cause a rollup of this week.
  private String title(NodeId segment, Span week) {
    return strand(segment)
        .flatMap(session -> first(session, week))
        .or(() -> nodes(List.of(segment)).stream().findFirst())
        .map(TocNode::title)
        .orElse("");
  }

  private Optional<TocNode> first(SessionId session, Span week) {
    var start = new EventKey(EventKey.nearest(week.start()), FIRST_ID);
    try {
      List<NodeId> segments =
          store.segments().segmentsAfter(session, Optional.of(start), LOOKED_AT).stream()
              .filter(segment -> !segment.start().isAfter(week.end()))
              .map(Segment::node)
              .toList();
      return nodes(segments).stream().filter(node -> !node.bullets().isEmpty()).findFirst();
    } catch (MemoryException e) {
      e.rethrowUnless(ErrorCode.CORRUPT_RECORD);
      return Optional.empty();
    }
  }

  private List<TocNode> nodes(List<NodeId> ids) {
    return store.toc().nodes(ids);
  }

  /// @return the segment's own id when it cannot be read
  private String id(NodeId segment) {
    return strand(segment).map(SessionId::value).orElse(segment.value());
  }

  private Optional<SessionId> strand(NodeId segment) {
    return session(segment).map(session -> above(session).orElse(session));
  }

  private Optional<SessionId> session(NodeId segment) {
    SessionId session = known.get(segment);
    if (session != null) {
      return Optional.of(session);
    }
    Optional<SessionId> found =
        ReadableSegments.of(store.segments(), segment).map(Segment::session);
    found.ifPresent(one -> known.put(segment, one));
    return found;
  }

  /// The stored session of which the id stands before a slash. It is not remembered: its first
  /// event may arrive later than those of its subagent.
  private Optional<SessionId> above(SessionId session) {
    int slash = session.value().lastIndexOf('/');
    if (slash <= 0) {
      return Optional.empty();
    }
    try {
      return store
          .sessions()
          .session(new SessionId(session.value().substring(0, slash)))
          .map(Session::id);
    } catch (MemoryException e) {
      e.rethrowUnless(ErrorCode.CORRUPT_RECORD);
      return Optional.empty();
    }
  }
}
