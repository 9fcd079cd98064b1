package dev.agentmemory.search;

import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.Grip;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.Segment;
import dev.agentmemory.types.SegmentEntry;
import dev.agentmemory.types.SegmentId;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.TocLevel;
import dev.agentmemory.types.TocNode;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.temporal.IsoFields;
import java.time.temporal.TemporalAdjusters;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Where a hit stands in the table of contents.
record HitLocator(Sources sources) {

  /// @param path nodes from the year down; those that exist
  /// @param grips that quote the event
  record Place(List<NodeId> path, List<GripId> grips) {}

  Place of(Event event) {
    Optional<Segment> segment = sources.segments().segmentAt(event.session(), event.key());
    List<EventId> order =
        segment.stream()
            .flatMap(found -> found.entries().stream())
            .map(SegmentEntry::key)
            .map(EventKey::id)
            .toList();
    int at = order.indexOf(event.id());
    if (at < 0) {
      return new Place(List.of(), List.of());
    }
    NodeId node = segment.orElseThrow().node();
    List<GripId> grips =
        sources.grips().gripsOf(node).stream()
            .filter(
                id -> sources.grips().grip(id).filter(grip -> holds(grip, order, at)).isPresent())
            .toList();
    return new Place(path(node), grips);
  }

  private static boolean holds(Grip grip, List<EventId> order, int at) {
    return order.indexOf(grip.first()) <= at && at <= order.indexOf(grip.last());
  }

  /// The nodes from the year down to a node, itself included: those that exist.
  List<NodeId> path(NodeId node) {
    List<NodeId> all =
        switch (node.level()) {
          case YEAR, MONTH, WEEK -> upTo(node, firstDay(node));
          case DAY, SEGMENT -> upTo(node, day(node));
        };
    return sources.toc().nodes(all).stream().map(TocNode::id).toList();
  }

  private static List<NodeId> upTo(NodeId node, LocalDate day) {
    Stream<NodeId> above =
        above(day).stream()
            .map(id -> node.workspace().map(id::in).orElse(id))
            .filter(id -> id.level().compareTo(node.level()) < 0);
    return Stream.concat(above, Stream.of(node)).toList();
  }

  /// A day and the periods that hold it, from the year down. A week belongs to the month and year
  /// of its Thursday.
  private static List<NodeId> above(LocalDate day) {
    LocalDate thursday =
        day.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY))
            .with(TemporalAdjusters.nextOrSame(DayOfWeek.THURSDAY));
    return List.of(
        NodeId.year(thursday.getYear()),
        NodeId.month(YearMonth.from(thursday)),
        NodeId.week(day.get(IsoFields.WEEK_BASED_YEAR), day.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR)),
        NodeId.day(day));
  }

  /// A day whose periods are those of the node.
  private LocalDate firstDay(NodeId node) {
    return sources
        .toc()
        .node(node)
        .map(found -> found.span().start().atZone(sources.zone()).toLocalDate())
        .map(start -> node.level() == TocLevel.WEEK ? start : middle(start))
        .orElse(LocalDate.EPOCH);
  }

  /// Weeks at a border belong to one side; those in the middle of a month do not lie on one.
  private static LocalDate middle(LocalDate start) {
    return start.plusDays(14);
  }

  private static LocalDate day(NodeId node) {
    String plain = node.plain().value();
    int from = plain.indexOf(':', "toc:".length()) + 1;
    return LocalDate.parse(plain.substring(from, from + "2026-01-30".length()));
  }

  /// The session of a segment.
  Optional<SessionId> session(NodeId node) {
    return node.level() == TocLevel.SEGMENT
        ? sources.segments().segment(SegmentId.of(node)).map(Segment::session)
        : Optional.empty();
  }
}
