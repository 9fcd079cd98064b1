package dev.agentmemory.daemon.cli;

import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.client.Page;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// Lists events of the log.
@Command(
    name = "events",
    description = "Lists events in time order, one a line.",
    mixinStandardHelpOptions = true)
final class EventsCommand implements Callable<Integer> {

  private static final int PAGE = 500;

  private final MemoryCommand memory;

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description = "First time, such as 2026-01-30 or 2026-01-30T14:30:00Z; days are in UTC.")
  private Optional<String> from = Optional.empty();

  @Option(
      names = "--to",
      paramLabel = "TIME",
      description = "End, not included; a day is included as a whole.")
  private Optional<String> to = Optional.empty();

  @Option(names = "--session", paramLabel = "ID", description = "Only this conversation.")
  private Optional<String> session = Optional.empty();

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "50",
      description = "Lines at most (default: ${DEFAULT-VALUE}).")
  private int limit;

  @Option(names = "--full", description = "The whole text, not only how it begins.")
  private boolean full;

  EventsCommand(MemoryCommand memory) {
    this.memory = memory;
  }

  @Override
  public Integer call() {
    if (limit < 1) {
      throw MemoryException.invalid("--limit", "is " + limit + "; expected 1 or more");
    }
    Instant first = from.map(text -> time("--from", text, 0)).orElse(Instant.EPOCH);
    Instant end = to.map(text -> time("--to", text, 1)).orElse(Instant.ofEpochMilli(1L << 48));
    try (MemoryClient client = memory.connect()) {
      boolean more = list(client, first, end);
      if (more) {
        memory.screen().error("there are more; see --limit, --from and --to");
      }
    }
    return Exits.OK;
  }

  /// @return whether there are more than were listed
  private boolean list(MemoryClient client, Instant first, Instant end) {
    int left = limit;
    Optional<String> next = Optional.empty();
    do {
      Page<Event> page =
          client.events(first, end, next, Math.min(PAGE, session.isPresent() ? PAGE : left));
      for (Event event : page.items()) {
        if (session.map(id -> id.equals(event.session().value())).orElse(true)) {
          if (left-- == 0) {
            return true;
          }
          show(event);
        }
      }
      next = page.next();
    } while (next.isPresent() && left > 0);
    return next.isPresent();
  }

  private void show(Event event) {
    if (full) {
      EventPrinter.full(memory.screen(), event, Optional.of(""), Screen.Ink.PLAIN);
    } else {
      EventPrinter.line(memory.screen(), event, "");
    }
  }

  private static Instant time(String option, String text, int days) {
    try {
      return text.contains("T")
          ? OffsetDateTime.parse(text).toInstant()
          : LocalDate.parse(text).plusDays(days).atStartOfDay(ZoneOffset.UTC).toInstant();
    } catch (DateTimeException e) {
      throw MemoryException.invalid(
          option, "is " + text + "; expected 2026-01-30 or 2026-01-30T14:30:00Z");
    }
  }
}
