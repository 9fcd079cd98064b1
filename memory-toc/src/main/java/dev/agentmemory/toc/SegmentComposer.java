package dev.agentmemory.toc;

import dev.agentmemory.toc.internal.segment.EventSource;
import dev.agentmemory.toc.internal.segment.TocCalendar;
import dev.agentmemory.toc.summary.Fingerprint;
import dev.agentmemory.toc.summary.SegmentText;
import dev.agentmemory.toc.summary.Summarizer;
import dev.agentmemory.toc.summary.Summary;
import dev.agentmemory.types.Boundary;
import dev.agentmemory.types.Edition;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.Grip;
import dev.agentmemory.types.Segment;
import dev.agentmemory.types.SegmentEntry;
import dev.agentmemory.types.Span;
import dev.agentmemory.types.TocNode;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Says what a segment says: its node and the grips that prove it. Touches no shared state, so
/// segments can be composed side by side.
record SegmentComposer(
    InstantSource clock, Summarizer summarizer, EventSource source, TocCalendar calendar) {

  /// A segment in words.
  ///
  /// @param unsupported how many points were left out because no event supports them
  record Composed(Segment segment, TocNode node, List<Grip> grips, int unsupported) {}

  /// Reads a segment's events and summarises them, unless a model wrote its words about the same
  /// events: those stay.
  ///
  /// @param known events that were read, as a summariser sees them; others are read from the store
  /// @param before the node as it is; empty when there is none
  Composed compose(Segment segment, Map<EventKey, Event> known, Optional<TocNode> before) {
    SegmentText passage = passage(segment, known);
    Optional<TocNode> kept =
        before
            .filter(node -> node.edition().input().isPresent())
            .filter(node -> node.edition().input().equals(Optional.of(Fingerprint.of(passage))));
    if (kept.isPresent()) {
      Edition edition = kept.get().edition().withProvisional(isOpen(segment));
      return new Composed(segment, kept.get().withEdition(edition), List.of(), 0);
    }
    return compose(
        segment, passage, summarizer.summarize(passage), summarizer.name(), Optional.empty());
  }

  /// Puts a summary of a segment in the form of a node.
  ///
  /// @param author who wrote it
  /// @param input what it was made of, when a model wrote it
  Composed compose(
      Segment segment,
      SegmentText passage,
      Summary summary,
      String author,
      Optional<String> input) {
    GripResolver.Resolved resolved =
        GripResolver.resolve(segment.node(), passage.events(), summary.points());
    TocNode node =
        new TocNode(
            segment.node(),
            summary.title().orElseGet(() -> calendar.moment(segment.start())),
            summary.prose(),
            resolved.bullets(),
            summary.keywords(),
            List.of(),
            new Span(segment.start(), end(segment)),
            new Edition(1, clock.instant(), isOpen(segment), author, Optional.empty(), input));
    return new Composed(segment, node, resolved.grips(), resolved.unsupported());
  }

  /// What a summariser gets to read of a segment.
  SegmentText passage(Segment segment, Map<EventKey, Event> known) {
    Map<EventKey, Event> events = events(segment, known);
    List<EventKey> keys = segment.entries().stream().map(SegmentEntry::key).toList();
    return new SegmentText(present(keys, events), present(segment.overlap(), events));
  }

  /// When the last event came but for the end of the session, which may come much later.
  private static Instant end(Segment segment) {
    return segment.entries().reversed().stream()
        .filter(entry -> entry.kind() != SegmentEntry.Kind.END)
        .map(entry -> entry.key().timestamp())
        .findFirst()
        .orElse(segment.end());
  }

  private static boolean isOpen(Segment segment) {
    return segment.boundary() == Boundary.OPEN;
  }

  private Map<EventKey, Event> events(Segment segment, Map<EventKey, Event> known) {
    Set<EventKey> wanted = new HashSet<>(segment.overlap());
    segment.entries().forEach(entry -> wanted.add(entry.key()));
    wanted.removeIf(known::containsKey);
    if (wanted.isEmpty()) {
      return known;
    }
    Map<EventKey, Event> events = new HashMap<>(known);
    for (Event event : source.cut(wanted.stream().sorted().toList())) {
      events.put(event.key(), event);
    }
    return events;
  }

  private static List<Event> present(List<EventKey> keys, Map<EventKey, Event> events) {
    return keys.stream().filter(events::containsKey).map(events::get).toList();
  }
}
