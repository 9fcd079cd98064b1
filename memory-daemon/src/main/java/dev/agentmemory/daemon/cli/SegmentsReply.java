package dev.agentmemory.daemon.cli;

import dev.agentmemory.client.SegmentOutline;
import java.util.List;

/// Segments, a line each.
///
/// @param more whether some were left out
record SegmentsReply(List<SegmentOutline> segments, boolean more, Times times) implements Reply {

  @Override
  public void print(Screen screen) {
    if (segments.isEmpty()) {
      screen.line("no segments");
    }
    segments.forEach(segment -> line(screen, times, segment));
    if (more) {
      screen.error("there are more; see --limit, --from and --to");
    }
  }

  /// When, which, how large, why it ends, of what session.
  static void line(Screen screen, Times times, SegmentOutline segment) {
    String head = times.second(segment.span().start()) + "  ";
    String tail =
        "  %4d events, %5d tokens, %s  "
            .formatted(segment.events().size(), segment.tokens(), end(segment));
    int room = Math.max(12, screen.width() - Columns.width(head + segment.id() + tail));
    screen.line(
        screen.ink(Screen.Ink.DIM, head)
            + segment.id()
            + screen.ink(Screen.Ink.DIM, tail + Columns.cut(segment.session().value(), room)));
  }

  /// Why it ends, as a person says it.
  static String end(SegmentOutline segment) {
    return switch (segment.boundary()) {
      case OPEN -> "open";
      case GAP -> "silence";
      case TOKENS -> "full";
      case SESSION_END -> "session end";
    };
  }

  @Override
  public void write(JsonPen json) {
    json.list("segments", segments, segment -> JsonForms.segment(json, segment)).flag("more", more);
  }
}
