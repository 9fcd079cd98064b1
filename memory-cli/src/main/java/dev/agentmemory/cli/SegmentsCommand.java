package dev.agentmemory.cli;

import dev.agentmemory.api.SegmentOutline;
import dev.agentmemory.api.SegmentView;
import dev.agentmemory.api.Sessions;
import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.cli.reply.EventPrinter;
import dev.agentmemory.cli.reply.JsonForms;
import dev.agentmemory.cli.reply.SegmentsReply;
import dev.agentmemory.cli.reply.TocWalk;
import dev.agentmemory.cli.terminal.JsonWriter;
import dev.agentmemory.cli.terminal.Reply;
import dev.agentmemory.cli.terminal.Terminal;
import dev.agentmemory.cli.time.Range;
import dev.agentmemory.cli.time.Times;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.SegmentId;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.TocLevel;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Lists segments, or shows one.
@Command(
    name = "segments",
    description = "Lists the segments of sessions, or shows one.",
    mixinStandardHelpOptions = true,
    footer = {"", "For summaries of segments use `memory toc DAY`."})
final class SegmentsCommand implements Callable<Integer> {

  private static final int PAGE = 500;

  private final MemoryCommand memory;

  @Parameters(
      arity = "0..1",
      paramLabel = "SEGMENT",
      description = "Segment to show: seg:<ULID>, or the id of its node.")
  private Optional<String> id = Optional.empty();

  @Option(names = "--session", paramLabel = "ID", description = "Only segments of this session.")
  private Optional<String> session = Optional.empty();

  @Mixin private Range range = new Range();

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "50",
      description = "Maximum number of segments (default: ${DEFAULT-VALUE}).")
  private int limit;

  SegmentsCommand(MemoryCommand memory) {
    this.memory = memory;
  }

  @Override
  public Integer call() {
    Limit.check(limit);
    range.check();
    Optional<SegmentId> one = id.map(SegmentsCommand::segment);
    Optional<SessionId> of = session.map(text -> SessionId.parse("--session", text));
    return memory.answer(client -> {
      var times = Times.of(client);
      return one.isPresent()
          ? new One(client.sessions().segment(one.get()), times)
          : list(client, times, of);
    });
  }

  private static SegmentId segment(String text) {
    return NodeId.parse(text)
        .filter(node -> node.level() == TocLevel.SEGMENT)
        .map(TocWalk::segmentId)
        .orElseGet(() -> SegmentId.parse("SEGMENT", text));
  }

  private Reply list(MemoryClient client, Times times, Optional<SessionId> of) {
    Range.Bounds bounds = range.in(times, memory.system().now());
    Sessions sessions = client.sessions();
    of.ifPresent(sessions::session);
    List<SegmentOutline> found =
        Page.stream(
                PageRequest.of(PAGE),
                page ->
                    of.map(session -> sessions.segments(session, page))
                        .orElseGet(() -> sessions.segments(bounds.from(), bounds.to(), page)))
            .filter(segment -> bounds.holds(segment.span().start()))
            .limit(limit + 1L)
            .toList();
    boolean more = found.size() > limit;
    return new SegmentsReply(found.subList(0, Math.min(limit, found.size())), more, times);
  }

  private record One(SegmentView view, Times times) implements Reply {

    @Override
    public void print(Terminal screen) {
      SegmentOutline segment = view.outline();
      screen.row("segment", segment.id().value());
      screen.row("session", segment.session().value());
      screen.row("node", segment.node().value());
      screen.row("first event", times.second(segment.span().start()));
      screen.row("last event", times.second(segment.span().end()));
      screen.row("tokens", "%,d".formatted(segment.tokens()));
      screen.row("ends by", SegmentsReply.end(segment));
      events(screen, "overlap", view.overlap());
      events(screen, "events", view.events());
    }

    private void events(Terminal screen, String name, List<Event> events) {
      if (!events.isEmpty()) {
        screen.line();
        screen.line(screen.styled(Terminal.Style.KEY, name));
        events.forEach(event -> EventPrinter.line(screen, times, event, "  "));
      }
    }

    @Override
    public void write(JsonWriter json) {
      JsonForms.segment(json, view.outline());
      json.list("overlap_events", view.overlap(), event -> JsonForms.event(json, event))
          .list("events", view.events(), event -> JsonForms.event(json, event));
    }
  }
}
