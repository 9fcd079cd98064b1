package dev.agentmemory.cli.reply;

import dev.agentmemory.cli.terminal.Columns;
import dev.agentmemory.cli.terminal.Format;
import dev.agentmemory.cli.terminal.TermHighlight;
import dev.agentmemory.cli.terminal.Terminal;
import dev.agentmemory.cli.terminal.Terminal.Style;
import dev.agentmemory.cli.time.Times;
import dev.agentmemory.types.Event;
import java.util.List;
import java.util.Optional;

/// Prints events.
public final class EventPrinter {

  private static final int MOST_LINES = 12;

  private EventPrinter() {}

  /// One line: time, speaker and the beginning of the text.
  public static void line(Terminal screen, Times times, Event event, String indent) {
    String head = times.second(event.timestamp()) + "  " + "%-9s ".formatted(who(event));
    int room = Math.max(20, screen.width() - Columns.width(indent + head));
    screen.line(indent + screen.styled(Style.DIM, head) + Columns.cut(text(event), room));
  }

  /// The event with its text; a long text is shortened.
  ///
  /// @param mark text to be highlighted where it occurs
  public static void full(
      Terminal screen, Times times, Event event, Optional<String> mark, Style style) {
    String head = times.second(event.timestamp()) + "  " + who(event);
    String tool = event.metadata().getOrDefault("tool", "");
    String detail = tool.isEmpty() ? "" : " · " + tool + input(event);
    screen.line("  " + screen.styled(Style.BOLD, head) + screen.styled(Style.DIM, detail));
    List<String> lines = Columns.wrap(text(event), screen.width() - 4);
    boolean whole = mark.isPresent() || lines.size() <= MOST_LINES;
    List<String> shown = whole ? lines : lines.subList(0, MOST_LINES);
    var highlight = TermHighlight.of(text(event), mark.orElse(""));
    shown.forEach(line -> screen.line("    " + highlight.paint(screen, line, style)));
    if (!whole) {
      String more = "… " + Format.count(lines.size() - MOST_LINES, "more line");
      screen.line("    " + screen.styled(Style.DIM, more));
    }
  }

  private static String input(Event event) {
    String input = event.metadata().getOrDefault("input", "");
    return input.isEmpty() ? "" : " " + Columns.cut(input, 60);
  }

  private static String who(Event event) {
    return switch (event.type()) {
      case USER_MESSAGE -> event.metadata().getOrDefault("speaker", "user");
      case ASSISTANT_MESSAGE ->
          event.metadata().getOrDefault("speaker", event.agent().orElse("assistant"));
      case TOOL_RESULT -> "tool";
      case SESSION_START, SESSION_END, ASSISTANT_STOP, SUBAGENT_START, SUBAGENT_STOP -> "-";
    };
  }

  private static String text(Event event) {
    return event.text().isEmpty()
        ? "(" + JsonForms.word(event.type()).replace('_', ' ') + ")"
        : event.text();
  }
}
