package dev.agentmemory.cli;

import dev.agentmemory.api.SegmentOutline;
import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.cli.reply.JsonForms;
import dev.agentmemory.cli.reply.SegmentsReply;
import dev.agentmemory.cli.terminal.Columns;
import dev.agentmemory.cli.terminal.JsonWriter;
import dev.agentmemory.cli.terminal.Reply;
import dev.agentmemory.cli.terminal.Terminal;
import dev.agentmemory.cli.time.Range;
import dev.agentmemory.cli.time.Times;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.types.Session;
import dev.agentmemory.types.SessionId;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Lists sessions, or shows one.
@Command(
    name = "sessions",
    description = "Lists sessions (conversations), latest first, or shows one.",
    mixinStandardHelpOptions = true,
    footer = {"", "`memory events --session ID` lists the events of a session."})
final class SessionsCommand implements Callable<Integer> {

  private static final int PAGE = 1000;

  private static final Comparator<Session> BY_END =
      Comparator.comparing(Session::last).thenComparing(Session::id);

  private final MemoryCommand memory;

  @Parameters(arity = "0..1", paramLabel = "ID", description = "Session to show.")
  private Optional<String> id = Optional.empty();

  @Mixin private Range range = new Range();

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "20",
      description = "Maximum number of sessions (default: ${DEFAULT-VALUE}).")
  private int limit;

  SessionsCommand(MemoryCommand memory) {
    this.memory = memory;
  }

  @Override
  public Integer call() {
    Limit.check(limit);
    range.check();
    Optional<SessionId> one = id.map(text -> SessionId.parse("ID", text));
    return memory.answer(client -> {
      var times = Times.of(client);
      return one.isPresent()
          ? new One(client.sessions().session(one.get()), segments(client, one.get()), times)
          : latest(client, times);
    });
  }

  /// The daemon lists sessions by id. The latest ones are selected while the pages are read.
  private Reply latest(MemoryClient client, Times times) {
    Range.Bounds bounds = range.in(times, memory.system().now());
    var latest = new PriorityQueue<>(BY_END);
    var meeting = new AtomicLong();
    Page.stream(PageRequest.of(PAGE), client.sessions()::list)
        .filter(session -> bounds.meets(session.first().timestamp(), session.last().timestamp()))
        .forEach(session -> {
          latest.add(session);
          if (meeting.incrementAndGet() > limit) {
            latest.remove();
          }
        });
    boolean more = meeting.get() > limit;
    return new Several(latest.stream().sorted(BY_END.reversed()).toList(), more, times);
  }

  private static List<SegmentOutline> segments(MemoryClient client, SessionId session) {
    return Page.stream(PageRequest.of(PAGE), page -> client.sessions().segments(session, page))
        .toList();
  }

  private static String state(Session session) {
    return session.ended() ? "ended" : "open";
  }

  private record Several(List<Session> sessions, boolean more, Times times) implements Reply {

    @Override
    public void print(Terminal screen) {
      if (sessions.isEmpty()) {
        screen.line("no sessions");
        return;
      }
      screen.line(
          screen.styled(
              Terminal.Style.KEY,
              "%-19s  %-5s %6s  %-10s %s"
                  .formatted("last event", "state", "events", "agent", "session")));
      for (Session session : sessions) {
        String head =
            "%s  %-5s %6d  %-10s "
                .formatted(
                    times.second(session.last().timestamp()),
                    state(session),
                    session.events(),
                    Columns.cut(session.agent().orElse("-"), 10));
        int room = Math.max(20, screen.width() - Columns.width(head));
        screen.line(
            screen.styled(Terminal.Style.DIM, head) + Columns.cut(session.id().value(), room));
      }
      if (more) {
        screen.error("there are more; see --limit, --from and --to");
      }
    }

    @Override
    public void write(JsonWriter json) {
      json.list("sessions", sessions, session -> JsonForms.session(json, session))
          .flag("more", more);
    }
  }

  private record One(Session session, List<SegmentOutline> segments, Times times) implements Reply {

    @Override
    public void print(Terminal screen) {
      screen.row("session", session.id().value());
      screen.row("state", state(session));
      screen.row("agent", session.agent().orElse("not named"));
      screen.row("first event", times.second(session.first().timestamp()));
      screen.row("last event", times.second(session.last().timestamp()));
      screen.row("events", "%,d".formatted(session.events()));
      screen.row("segments", "%,d".formatted(segments.size()));
      if (!segments.isEmpty()) {
        screen.line();
        SegmentsReply.table(screen, times, segments);
      }
    }

    @Override
    public void write(JsonWriter json) {
      JsonForms.session(json, session);
      json.list("segments", segments, segment -> JsonForms.segment(json, segment));
    }
  }
}
