package dev.agentmemory.cli.reply;

import dev.agentmemory.api.contents.GripContext;
import dev.agentmemory.cli.terminal.JsonWriter;
import dev.agentmemory.cli.terminal.Reply;
import dev.agentmemory.cli.terminal.Terminal;
import dev.agentmemory.cli.terminal.Terminal.Style;
import dev.agentmemory.cli.time.Times;
import dev.agentmemory.types.Event;
import java.util.List;
import java.util.Optional;

/// A grip with its events. Context events take one line each; the events of the grip are printed in
/// full.
public record GripReply(GripContext expanded, Times times) implements Reply {

  @Override
  public void write(JsonWriter json) {
    JsonForms.grip(json, expanded.grip());
    json.list("events_before", expanded.before(), event -> JsonForms.event(json, event))
        .list("excerpt_events", expanded.excerpt(), event -> JsonForms.event(json, event))
        .list("events_after", expanded.after(), event -> JsonForms.event(json, event));
  }

  @Override
  public void print(Terminal screen) {
    screen.line(
        screen.styled(Style.TITLE, "grip")
            + "  "
            + expanded.grip().id()
            + screen.styled(Style.DIM, "  of " + expanded.grip().node()));
    screen.wrapped("  “", "   ", expanded.grip().excerpt() + "”", Style.MARK);
    around(screen, "before", expanded.before());
    heading(screen, expanded.excerpt().size() == 1 ? "the event" : "the events");
    expanded
        .excerpt()
        .forEach(event ->
            EventPrinter.full(
                screen, times, event, Optional.of(expanded.grip().excerpt()), Style.MARK));
    around(screen, "after", expanded.after());
  }

  private void around(Terminal screen, String name, List<Event> events) {
    if (!events.isEmpty()) {
      heading(screen, name);
      events.forEach(event -> EventPrinter.line(screen, times, event, "  "));
    }
  }

  private void heading(Terminal screen, String text) {
    screen.line();
    screen.line(screen.styled(Style.KEY, text));
  }
}
