package dev.agentmemory.toc;

import dev.agentmemory.store.StoreReader;
import dev.agentmemory.text.Sentences;
import dev.agentmemory.text.SpeakerKind;
import dev.agentmemory.types.Bullet;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.Grip;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.Segment;
import dev.agentmemory.types.SegmentId;
import dev.agentmemory.types.TocLevel;
import dev.agentmemory.types.TocNode;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/// A table of contents as a text to be read in review: what it says, and where sessions were cut,
/// without ids, versions and times of writing. Below a bullet of a segment stands the event on
/// which it rests, by its place in the session's file, and the excerpt where that reads otherwise.
final class TableText {

  private static final Pattern SPACES = Pattern.compile("\\s+");

  private final StoreReader store;
  private final boolean segments;
  private final StringBuilder text = new StringBuilder();

  private TableText(StoreReader store, boolean segments) {
    this.store = store;
    this.segments = segments;
  }

  static String of(StoreReader store) {
    return of(store, /* segments= */ true);
  }

  /// What days and longer periods say.
  static String ofPeriods(StoreReader store) {
    return of(store, /* segments= */ false);
  }

  private static String of(StoreReader store, boolean segments) {
    var table = new TableText(store, segments);
    store.toc().nodeIds(TocLevel.YEAR, Optional.empty(), 100).forEach(table::node);
    return table.text.toString();
  }

  private void node(NodeId id) {
    TocNode node = store.toc().node(id).orElseThrow();
    if (!text.isEmpty()) {
      line("");
    }
    if (node.level() == TocLevel.SEGMENT) {
      segment(node);
    } else {
      line("== " + node.title());
      words(node);
    }
    if (segments || node.level() != TocLevel.DAY) {
      node.children().forEach(this::node);
    }
  }

  private void segment(TocNode node) {
    Segment segment = store.segments().segment(SegmentId.of(node.id())).orElseThrow();
    line(
        "-- %s, %s, %d events, ended by %s"
            .formatted(
                segment.start().atZone(ZoneOffset.UTC).toLocalTime(),
                segment.session(),
                segment.entries().size(),
                segment.boundary()));
    line(node.title());
    words(node);
  }

  private void words(TocNode node) {
    node.summary().ifPresent(this::prose);
    for (Bullet bullet : node.bullets()) {
      line("- " + bullet.text());
      if (node.level() == TocLevel.SEGMENT) {
        bullet.grips().forEach(grip -> evidence(bullet, grip));
      }
    }
    if (!node.keywords().isEmpty()) {
      line("keywords: " + String.join(", ", node.keywords()));
    }
  }

  /// A sentence a line, so that a change shows in the lines that it concerns.
  private void prose(String prose) {
    Sentences.split(prose, 0, prose.length()).forEach(sentence -> line(sentence.of(prose)));
  }

  private void evidence(Bullet bullet, GripId id) {
    Grip grip = store.grips().grip(id).orElseThrow();
    Event event = store.events().event(grip.first()).orElseThrow();
    String excerpt = SPACES.matcher(grip.excerpt()).replaceAll(" ");
    line(
        "    event %d, %s%s"
            .formatted(
                event.position(),
                SpeakerKind.of(event).name().toLowerCase(Locale.ROOT),
                excerpt.equals(bullet.text()) ? "" : ": " + excerpt));
  }

  private void line(String line) {
    text.append(line).append('\n');
  }
}
