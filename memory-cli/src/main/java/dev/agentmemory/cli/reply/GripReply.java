package dev.agentmemory.cli.reply;

import dev.agentmemory.api.GripContext;
import dev.agentmemory.cli.terminal.JsonPen;
import dev.agentmemory.cli.terminal.Reply;
import dev.agentmemory.cli.terminal.Screen;
import dev.agentmemory.cli.terminal.Screen.Ink;
import dev.agentmemory.cli.time.Times;
import dev.agentmemory.types.Event;
import java.util.List;
import java.util.Optional;

/// A grip with its events: those around it in one line each, those behind it whole.
public record GripReply(GripContext expanded, Times times) implements Reply {

  @Override
  public void write(JsonPen json) {
    JsonForms.grip(json, expanded.grip());
    json.list("events_before", expanded.before(), event -> JsonForms.event(json, event))
        .list("excerpt_events", expanded.excerpt(), event -> JsonForms.event(json, event))
        .list("events_after", expanded.after(), event -> JsonForms.event(json, event));
  }

  @Override
  public void print(Screen screen) {
    screen.line(
        screen.ink(Ink.TITLE, "grip")
            + "  "
            + expanded.grip().id()
            + screen.ink(Ink.DIM, "  of " + expanded.grip().node()));
    screen.wrapped("  “", "   ", expanded.grip().excerpt() + "”", Ink.MARK);
    around(screen, "before", expanded.before());
    heading(screen, expanded.excerpt().size() == 1 ? "the event" : "the events");
    expanded
        .excerpt()
        .forEach(event ->
            EventPrinter.full(
                screen, times, event, Optional.of(expanded.grip().excerpt()), Ink.MARK));
    around(screen, "after", expanded.after());
  }

  private void around(Screen screen, String name, List<Event> events) {
    if (!events.isEmpty()) {
      heading(screen, name);
      events.forEach(event -> EventPrinter.line(screen, times, event, "  "));
    }
  }

  private void heading(Screen screen, String text) {
    screen.line();
    screen.line(screen.ink(Ink.KEY, text));
  }
}
