package dev.agentmemory.cli;

import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.cli.reply.EventPrinter;
import dev.agentmemory.cli.reply.JsonForms;
import dev.agentmemory.cli.terminal.ExitCodes;
import dev.agentmemory.cli.terminal.JsonWriter;
import dev.agentmemory.cli.terminal.Reply;
import dev.agentmemory.cli.terminal.Terminal;
import dev.agentmemory.cli.time.Range;
import dev.agentmemory.cli.time.Times;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.Session;
import dev.agentmemory.types.SessionId;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// Lists events of the log.
@Command(
    name = "events",
    description = "Lists events in time order, one per line; with --json one object per line.",
    mixinStandardHelpOptions = true)
final class EventsCommand implements Callable<Integer> {

  private static final int PAGE = 500;

  private final MemoryCommand memory;

  @Mixin private Range range = new Range();

  @Option(names = "--session", paramLabel = "ID", description = "Only events of this session.")
  private Optional<String> session = Optional.empty();

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "50",
      description = "Maximum number of events (default: ${DEFAULT-VALUE}).")
  private int limit;

  @Option(
      names = "--full",
      description =
          "Print the whole text instead of its beginning (JSON always contains all of it).")
  private boolean full;

  EventsCommand(MemoryCommand memory) {
    this.memory = memory;
  }

  @Override
  public Integer call() {
    Limit.check(limit);
    range.check();
    try (MemoryClient client = memory.connect()) {
      var times = Times.of(client);
      boolean more = list(client, times, bounds(client, times));
      if (more) {
        memory.screen().error("there are more; see --limit, --from and --to");
      }
    }
    return ExitCodes.OK;
  }

  /// The events of a session are between its first and its last one.
  private Range.Bounds bounds(MemoryClient client, Times times) {
    Range.Bounds asked = range.in(times, memory.system().now());
    if (session.isEmpty()) {
      return asked;
    }
    Session whole = client.sessions().session(SessionId.parse("--session", session.get()));
    Instant first = whole.first().timestamp();
    Instant end = whole.last().timestamp().plusMillis(1);
    return new Range.Bounds(
        first.isAfter(asked.from()) ? first : asked.from(),
        end.isBefore(asked.to()) ? end : asked.to());
  }

  /// @return whether there are more events than were listed
  private boolean list(MemoryClient client, Times times, Range.Bounds bounds) {
    int left = limit;
    String token = "";
    do {
      int size = session.isPresent() ? PAGE : Math.min(PAGE, left);
      Page<Event> page =
          client.events().between(bounds.from(), bounds.to(), new PageRequest(token, size));
      for (Event event : page.items()) {
        if (session.map(id -> id.equals(event.session().value())).orElse(true)) {
          if (left-- == 0) {
            return true;
          }
          memory.sayOneOfMany(new Line(event, times, full));
        }
      }
      token = page.token();
    } while (!token.isEmpty() && left > 0);
    return !token.isEmpty();
  }

  private record Line(Event event, Times times, boolean full) implements Reply {

    @Override
    public void print(Terminal screen) {
      if (full) {
        EventPrinter.full(screen, times, event, Optional.of(""), Terminal.Style.PLAIN);
      } else {
        EventPrinter.line(screen, times, event, "");
      }
    }

    @Override
    public void write(JsonWriter json) {
      JsonForms.event(json, event);
    }
  }
}
