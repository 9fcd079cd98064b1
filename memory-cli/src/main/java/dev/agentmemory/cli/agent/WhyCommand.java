package dev.agentmemory.cli.agent;

import dev.agentmemory.api.contents.GripContext;
import dev.agentmemory.api.contents.NodeField;
import dev.agentmemory.api.contents.NodeMatch;
import dev.agentmemory.api.contents.NodeQuery;
import dev.agentmemory.api.search.Filters;
import dev.agentmemory.api.search.Hit;
import dev.agentmemory.api.search.HitKind;
import dev.agentmemory.api.search.RelevanceThreshold;
import dev.agentmemory.api.search.SearchRequest;
import dev.agentmemory.cli.reply.GripReply;
import dev.agentmemory.cli.reply.JsonForms;
import dev.agentmemory.cli.reply.SearchReply;
import dev.agentmemory.cli.terminal.ExitCodes;
import dev.agentmemory.cli.terminal.JsonWriter;
import dev.agentmemory.cli.terminal.Reply;
import dev.agentmemory.cli.terminal.Terminal;
import dev.agentmemory.cli.terminal.Terminal.Style;
import dev.agentmemory.cli.time.Times;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.types.Bullet;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.TocNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Shows where a statement comes from.
@Command(
    name = "why",
    description = {
      "Shows where a statement comes from: the bullet, the excerpt behind it, and the turns around"
          + " the excerpt.",
      "Without a bullet about the text, the events that are closest to it are shown."
    },
    mixinStandardHelpOptions = true)
final class WhyCommand implements Callable<Integer> {

  private static final int HITS = 10;

  /// The closest hits are shown even if none of them is a good answer.
  private static final RelevanceThreshold CLOSE = RelevanceThreshold.ofEach(0.05);

  private final AgentContext memory;

  @Parameters(
      arity = "1..*",
      paramLabel = "TEXT",
      description = "Words of the statement, or the id of a grip or of a node.")
  private List<String> words = List.of();

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "1",
      description = "Maximum number of bullets, 1 to 20 (default: ${DEFAULT-VALUE}).")
  private int limit;

  @Option(
      names = "--around",
      paramLabel = "N",
      defaultValue = "3",
      description = "Number of events before and after each excerpt (default: ${DEFAULT-VALUE}).")
  private int around;

  WhyCommand(AgentContext memory) {
    this.memory = memory;
  }

  @Override
  public Integer call() {
    String text = String.join(" ", words).strip();
    check(text);
    try (MemoryClient client = ProjectConnection.open(memory)) {
      var times = Times.of(client);
      List<Reason> reasons = reasons(client, text);
      if (reasons.isEmpty()) {
        SearchRequest request = request(text, Set.of(HitKind.EVENT), memory.system().now());
        memory.say(new SearchReply(request, client.search().search(request), times));
      } else {
        memory.say(new WhyReply(reasons, times));
      }
    }
    return ExitCodes.OK;
  }

  private void check(String text) {
    if (text.isEmpty()) {
      throw MemoryException.invalid("TEXT", "is empty; give words or an id");
    }
    if (limit < 1 || limit > 20) {
      throw MemoryException.invalid("--limit", "is " + limit + "; expected 1 to 20");
    }
    if (around < 0 || around > 200) {
      throw MemoryException.invalid("--around", "is " + around + "; expected 0 to 200");
    }
  }

  private List<Reason> reasons(MemoryClient client, String text) {
    if (GripId.isValid(text)) {
      return List.of(ofGrip(client, new GripId(text)));
    }
    Optional<NodeId> node = NodeId.parse(text);
    if (node.isPresent()) {
      TocNode found =
          client
              .contents()
              .node(node.get())
              .orElseThrow(
                  () -> new MemoryException(ErrorCode.NOT_FOUND, "there is no node " + text));
      return found.bullets().stream()
          .limit(limit)
          .map(bullet -> reason(client, found, bullet.text(), bullet.grips()))
          .toList();
    }
    return found(client, text);
  }

  private Reason ofGrip(MemoryClient client, GripId id) {
    GripContext grip =
        expanded(client, id)
            .orElseThrow(() -> new MemoryException(ErrorCode.NOT_FOUND, "there is no grip " + id));
    Optional<TocNode> node = client.contents().node(grip.grip().node());
    String bullet =
        node.stream()
            .flatMap(found -> found.bullets().stream())
            .filter(each -> each.grips().contains(id))
            .map(Bullet::text)
            .findFirst()
            .orElse(grip.grip().excerpt());
    return new Reason(
        bullet, grip.grip().node(), node.map(TocNode::title).orElse(""), List.of(grip));
  }

  /// The bullets of the best segments that match best.
  private List<Reason> found(MemoryClient client, String text) {
    List<Reason> reasons = new ArrayList<>();
    SearchRequest request = request(text, Set.of(HitKind.SEGMENT), memory.system().now());
    var query = NodeQuery.of(text).withFields(Set.of(NodeField.BULLETS)).withLimit(limit);
    for (Hit hit : client.search().search(request).hits()) {
      Optional<TocNode> node = hit.node().flatMap(client.contents()::node);
      if (node.isPresent() && reasons.size() < limit) {
        client.contents().searchNode(node.get().id(), query).stream()
            .limit(limit - reasons.size())
            .map((NodeMatch match) -> reason(client, node.get(), match.text(), match.grips()))
            .forEach(reasons::add);
      }
    }
    return List.copyOf(reasons);
  }

  private Reason reason(MemoryClient client, TocNode node, String bullet, List<GripId> grips) {
    List<GripContext> evidence =
        grips.stream().flatMap(id -> expanded(client, id).stream()).toList();
    return new Reason(bullet, node.id(), node.title(), evidence);
  }

  private Optional<GripContext> expanded(MemoryClient client, GripId id) {
    return client.contents().expand(id, around, around);
  }

  private static SearchRequest request(String text, Set<HitKind> kinds, Instant now) {
    return SearchRequest.of(text, HITS, now)
        .withFilters(Filters.NONE.withKinds(kinds))
        .withThreshold(CLOSE);
  }

  /// A bullet with its evidence.
  private record Reason(String bullet, NodeId node, String title, List<GripContext> evidence) {}

  private record WhyReply(List<Reason> reasons, Times times) implements Reply {

    @Override
    public void print(Terminal screen) {
      String gap = "";
      for (Reason reason : reasons) {
        screen.wrapped(gap + "• ", "  ", reason.bullet(), Style.BOLD);
        screen.line(
            "  "
                + screen.shown(reason.title())
                + "  "
                + screen.styled(Style.DIM, reason.node().value()));
        for (GripContext grip : reason.evidence()) {
          screen.line();
          new GripReply(grip, times).print(screen);
        }
        gap = "\n";
      }
    }

    @Override
    public void write(JsonWriter json) {
      json.list(
          "reasons",
          reasons,
          reason ->
              json.text("bullet", reason.bullet())
                  .text("node_id", reason.node().value())
                  .text("title", reason.title())
                  .list("evidence", reason.evidence(), grip -> evidence(json, grip)));
    }

    private static void evidence(JsonWriter json, GripContext grip) {
      JsonForms.grip(json, grip.grip());
      json.list("events_before", grip.before(), event -> JsonForms.event(json, event))
          .list("excerpt_events", grip.excerpt(), event -> JsonForms.event(json, event))
          .list("events_after", grip.after(), event -> JsonForms.event(json, event));
    }
  }
}
