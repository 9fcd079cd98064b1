package dev.agentmemory.daemon.cli;

import dev.agentmemory.client.ExpandedGrip;
import dev.agentmemory.daemon.cli.Screen.Ink;
import dev.agentmemory.types.Event;
import java.util.List;
import java.util.Optional;

/// Shows a grip with its events: those around it in one line each, those behind it whole.
final class GripPrinter {

  private final Screen screen;

  GripPrinter(Screen screen) {
    this.screen = screen;
  }

  void print(ExpandedGrip expanded) {
    screen.line(
        screen.ink(Ink.TITLE, "grip")
            + "  "
            + expanded.grip().id()
            + screen.ink(Ink.DIM, "  of " + expanded.grip().node()));
    screen.wrapped("  “", "   ", expanded.grip().excerpt() + "”", Ink.MARK);
    around("before", expanded.before());
    heading(expanded.excerpt().size() == 1 ? "the event" : "the events");
    expanded
        .excerpt()
        .forEach(event ->
            EventPrinter.full(screen, event, Optional.of(expanded.grip().excerpt()), Ink.MARK));
    around("after", expanded.after());
  }

  private void around(String name, List<Event> events) {
    if (!events.isEmpty()) {
      heading(name);
      events.forEach(event -> EventPrinter.line(screen, event, "  "));
    }
  }

  private void heading(String text) {
    screen.line();
    screen.line(screen.ink(Ink.KEY, text));
  }
}
