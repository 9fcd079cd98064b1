package dev.agentmemory.cli.reply;

import dev.agentmemory.api.SegmentOutline;
import dev.agentmemory.cli.terminal.Columns;
import dev.agentmemory.cli.terminal.JsonWriter;
import dev.agentmemory.cli.terminal.Reply;
import dev.agentmemory.cli.terminal.Terminal;
import dev.agentmemory.cli.time.Times;
import java.util.List;

/// Segments, one per line.
///
/// @param more whether some were left out
public record SegmentsReply(List<SegmentOutline> segments, boolean more, Times times)
    implements Reply {

  /// With fewer columns a session id is not useful.
  private static final int LEAST_WIDTH = 12;

  @Override
  public void print(Terminal screen) {
    if (segments.isEmpty()) {
      screen.line("no segments");
    }
    table(screen, times, segments);
    if (more) {
      screen.error("there are more; see --limit, --from and --to");
    }
  }

  /// One line each: start, id, size, why it ends, and the session if there is space for it.
  public static void table(Terminal screen, Times times, List<SegmentOutline> segments) {
    if (!segments.isEmpty()) {
      String names =
          "%-19s  %-30s %6s %6s  %-7s  "
              .formatted("first event", "segment", "events", "tokens", "ends by");
      boolean room = screen.width() - names.length() >= LEAST_WIDTH;
      screen.line(screen.styled(Terminal.Style.KEY, names.strip() + (room ? "  session" : "")));
    }
    segments.forEach(segment -> line(screen, times, segment));
  }

  private static void line(Terminal screen, Times times, SegmentOutline segment) {
    String when = times.second(segment.span().start()) + "  ";
    String size =
        " %6d %6d  %-7s".formatted(segment.events().size(), segment.tokens(), end(segment));
    int room = screen.width() - Columns.width(when + segment.id() + size) - 2;
    String session = segment.session().value();
    screen.line(
        screen.styled(Terminal.Style.DIM, when)
            + segment.id()
            + screen.styled(
                Terminal.Style.DIM,
                room < LEAST_WIDTH - 2 ? size : size + "  " + Columns.cut(session, room)));
  }

  /// Why it ends, in words.
  public static String end(SegmentOutline segment) {
    return switch (segment.boundary()) {
      case OPEN -> "open";
      case GAP -> "silence";
      case TOKENS -> "full";
      case SESSION_END -> "end";
    };
  }

  @Override
  public void write(JsonWriter json) {
    json.list("segments", segments, segment -> JsonForms.segment(json, segment)).flag("more", more);
  }
}
