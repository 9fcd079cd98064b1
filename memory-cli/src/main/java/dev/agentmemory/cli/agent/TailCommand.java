package dev.agentmemory.cli.agent;

import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.cli.process.Polling;
import dev.agentmemory.cli.reply.EventPrinter;
import dev.agentmemory.cli.reply.JsonForms;
import dev.agentmemory.cli.terminal.ExitCodes;
import dev.agentmemory.cli.terminal.JsonWriter;
import dev.agentmemory.cli.terminal.Reply;
import dev.agentmemory.cli.terminal.Terminal;
import dev.agentmemory.cli.terminal.Terminal.Style;
import dev.agentmemory.cli.time.Times;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// Shows the newest events.
@Command(
    name = "tail",
    description = "Shows the newest events, the last one at the end; with -f also those to come.",
    mixinStandardHelpOptions = true)
final class TailCommand implements Callable<Integer> {

  private static final int PAGE = 1000;
  private static final int MOST = 1000;
  private static final Duration PAUSE = Duration.ofSeconds(1);

  /// The first look back, and by how much each further one is longer.
  private static final Duration FIRST = Duration.ofMinutes(15);

  private static final int FURTHER = 8;

  /// After every event.
  private static final Instant END = Instant.ofEpochMilli(1L << 48);

  /// What a transcript adds to a turn may be that much older than what is shown already.
  private static final Duration LATE = Duration.ofMinutes(10);

  private final AgentContext memory;

  @Option(
      names = {"-n", "--limit"},
      paramLabel = "N",
      defaultValue = "20",
      description = "Number of events, 0 to 1000 (default: ${DEFAULT-VALUE}).")
  private int limit;

  @Option(
      names = {"-f", "--follow"},
      description = "Wait for further events, until Ctrl-C.")
  private boolean follow;

  @Option(names = "--full", description = "Print the whole texts instead of their beginnings.")
  private boolean full;

  private final ShownEvents shown = new ShownEvents();

  TailCommand(AgentContext memory) {
    this.memory = memory;
  }

  @Override
  public Integer call() throws InterruptedException {
    if (limit < 0 || limit > MOST) {
      throw MemoryException.invalid("--limit", "is " + limit + "; expected 0 to " + MOST);
    }
    try (MemoryClient client = ProjectConnection.open(memory)) {
      var times = Times.of(client);
      newest(client).forEach(event -> show(event, times));
      memory.screen().flush();
      while (follow) {
        Polling.until(PAUSE, () -> false);
        later(client, times);
      }
    }
    return ExitCodes.OK;
  }

  /// The log is read forwards only, so the look back gets longer until it is long enough.
  private Deque<Event> newest(MemoryClient client) {
    Instant now = memory.system().now();
    Duration back = FIRST;
    while (true) {
      Instant from = now.minus(back);
      boolean all = from.isBefore(Instant.EPOCH);
      Deque<Event> found = last(client, all ? Instant.EPOCH : from);
      if (all || found.size() >= limit) {
        return found;
      }
      back = back.multipliedBy(FURTHER);
    }
  }

  private Deque<Event> last(MemoryClient client, Instant from) {
    Deque<Event> last = new ArrayDeque<>();
    String token = "";
    do {
      Page<Event> page = client.events().between(from, END, new PageRequest(token, PAGE));
      for (Event event : page.items()) {
        last.add(event);
        if (last.size() > limit) {
          // It is left out, but it is no news either.
          note(last.removeFirst());
        }
      }
      token = page.token();
    } while (!token.isEmpty());
    return last;
  }

  private void later(MemoryClient client, Times times) {
    shown.forgetBefore(memory.system().now().minus(LATE));
    Instant from = shown.from();
    String token = "";
    do {
      Page<Event> page = client.events().between(from, END, new PageRequest(token, PAGE));
      page.items()
          .forEach(event -> {
            if (!shown.contains(event)) {
              show(event, times);
            }
          });
      token = page.token();
    } while (!token.isEmpty());
    memory.screen().flush();
  }

  private void show(Event event, Times times) {
    note(event);
    memory.sayOneOfMany(new Line(event, times, full));
  }

  private void note(Event event) {
    if (follow && event.timestamp().isAfter(memory.system().now().minus(LATE.multipliedBy(2)))) {
      shown.add(event);
    }
  }

  /// One event, with its session's agent.
  private record Line(Event event, Times times, boolean full) implements Reply {

    @Override
    public void print(Terminal screen) {
      if (full) {
        EventPrinter.full(screen, times, event, Optional.of(""), Style.PLAIN);
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
