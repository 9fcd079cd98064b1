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
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// Reads the parts of periods, with the strand of each of their bullets: the session of the segment
/// that its first grip was made for, or the session above it if that of a subagent stands behind a
/// slash. Neither a grip nor a segment ever changes its session, so that is remembered. May be used
/// by several threads at a time.
final class PeriodParts {

  private static final int REMEMBERED = 10_000;

  /// Of the segments of a session in a week so many are looked at for a title.
  private static final int LOOKED_AT = 8;

  private static final EventId FIRST_ID = new EventId("0".repeat(EventId.LENGTH));

  private final StoreReader store;

  /// The sessions of grips and of segments, by their ids.
  private final Map<String, SessionId> known =
      Collections.synchronizedMap(
          new LinkedHashMap<>() {
            @Override
            protected boolean removeEldestEntry(Map.Entry<String, SessionId> eldest) {
              return size() > REMEMBERED;
            }
          });

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
    var parts = new ArrayList<PeriodPart>();
    for (TocNode child : children) {
      List<Strand> strands =
          child.bullets().stream().map(bullet -> strand(bullet, child, period)).toList();
      parts.add(new PeriodPart(child, strands));
    }
    return parts;
  }

  private String id(NodeId segment) {
    return session(segment).map(this::strand).map(SessionId::value).orElse(segment.value());
  }

  private Strand strand(Bullet bullet, TocNode child, TocNode period) {
    Optional<GripId> grip = bullet.grips().stream().findFirst();
    Optional<SessionId> strand = grip.flatMap(this::session).map(this::strand);
    Supplier<Optional<NodeId>> segment = () -> grip.flatMap(this::segment);
    String id =
        strand
            .map(SessionId::value)
            .or(() -> segment.get().map(NodeId::value))
            .orElse(child.id().value());
    // Only the text of a week names its strands.
    return period.level() == TocLevel.WEEK
        ? new Strand(id, () -> title(strand, segment, period.span()))
        : new Strand(id, "");
  }

  /// The session of the segment for which a grip was made; empty when either cannot be read.
  private Optional<SessionId> session(GripId grip) {
    return remembered(grip.value(), () -> segment(grip).flatMap(this::session));
  }

  private Optional<SessionId> session(NodeId segment) {
    return remembered(
        segment.value(),
        () -> ReadableSegments.of(store.segments(), segment).map(Segment::session));
  }

  private Optional<SessionId> remembered(String id, Supplier<Optional<SessionId>> read) {
    SessionId session = known.get(id);
    if (session != null) {
      return Optional.of(session);
    }
    Optional<SessionId> found = read.get();
    found.ifPresent(one -> known.put(id, one));
    return found;
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
  ///
  /// @param segment of the bullet; its title is taken when the strand has none
  private String title(Optional<SessionId> strand, Supplier<Optional<NodeId>> segment, Span week) {
    return strand
        .flatMap(session -> first(session, week))
        .or(() -> segment.get().flatMap(node -> nodes(List.of(node)).stream().findFirst()))
        .map(TocNode::title)
        .orElse("");
  }

  private Optional<TocNode> first(SessionId session, Span week) {
    try {
      // Nearly always the first segment says something.
      return first(session, week, 1).or(() -> first(session, week, LOOKED_AT));
    } catch (MemoryException e) {
      e.rethrowUnless(ErrorCode.CORRUPT_RECORD);
      return Optional.empty();
    }
  }

  private Optional<TocNode> first(SessionId session, Span week, int limit) {
    var start = new EventKey(EventKey.nearest(week.start()), FIRST_ID);
    List<NodeId> segments =
        store.segments().segmentsAfter(session, Optional.of(start), limit).stream()
            .filter(segment -> !segment.start().isAfter(week.end()))
            .map(Segment::node)
            .toList();
    return nodes(segments).stream().filter(node -> !node.bullets().isEmpty()).findFirst();
  }

  private List<TocNode> nodes(List<NodeId> ids) {
    return store.toc().nodes(ids);
  }

  /// The session, or the stored one above it: that of which the id stands before a slash. It is not
  /// remembered: its first event may arrive later than those of its subagent.
  private SessionId strand(SessionId session) {
    int slash = session.value().lastIndexOf('/');
    if (slash <= 0) {
      return session;
    }
    try {
      return store
          .sessions()
          .session(new SessionId(session.value().substring(0, slash)))
          .map(Session::id)
          .orElse(session);
    } catch (MemoryException e) {
      e.rethrowUnless(ErrorCode.CORRUPT_RECORD);
      return session;
    }
  }
}
