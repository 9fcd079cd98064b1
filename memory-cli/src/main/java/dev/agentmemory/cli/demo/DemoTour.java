package dev.agentmemory.cli.demo;

import dev.agentmemory.api.search.SearchMode;
import dev.agentmemory.api.search.SearchRequest;
import dev.agentmemory.cli.ingest.IngestRun;
import dev.agentmemory.cli.process.Polling;
import dev.agentmemory.cli.reply.GripReply;
import dev.agentmemory.cli.reply.SearchReply;
import dev.agentmemory.cli.reply.TocPrinter;
import dev.agentmemory.cli.reply.TocProgress;
import dev.agentmemory.cli.reply.TocWalk;
import dev.agentmemory.cli.terminal.Columns;
import dev.agentmemory.cli.terminal.Format;
import dev.agentmemory.cli.terminal.Terminal;
import dev.agentmemory.cli.terminal.Terminal.Style;
import dev.agentmemory.cli.time.Times;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.spi.SystemServices;
import dev.agentmemory.types.Bullet;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.TocLevel;
import dev.agentmemory.types.TocNode;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/// The steps and the output of the demo.
public final class DemoTour {

  private static final String SAMPLE = "/demo/events.jsonl";
  private static final Duration COMPLETE = Duration.ofMinutes(2);

  /// Words of the bullet that the tour looks for.
  private static final List<String> SOUGHT = List.of("decision", "jitter", "attempts");

  /// The query of the search step, and the number of hits that it shows.
  private static final String QUERY = "why do retries need jitter";

  private static final int HITS = 2;

  private final SystemServices system;
  private final Terminal screen;
  private final DemoDaemon demo;

  public DemoTour(SystemServices system, Terminal screen, DemoDaemon demo) {
    this.system = system;
    this.screen = screen;
    this.demo = demo;
  }

  public void show() throws IOException, InterruptedException {
    screen.line(
        screen.styled(
            Style.BOLD, "agent-memory: long-term memory that can be traced to its sources"));
    screen.line();
    step("Daemon started in a temporary directory", "pid " + demo.pid() + ", port " + demo.port());
    try (MemoryClient client = demo.connect()) {
      ingest(client);
      await(client);
      contents(client);
      search(client);
    }
    demo.close();
    screen.line();
    step("Daemon stopped", "temporary directory deleted");
    screen.line();
    screen.line("Your own memory:   ./memory start");
    screen.line("                   ./memory ingest FILE");
    screen.line("                   ./memory toc");
    screen.line("                   ./memory search QUERY");
  }

  private void ingest(MemoryClient client) throws IOException {
    long start = system.ticker().nanos();
    var run = new IngestRun(screen, /* strict= */ true, /* numbered= */ true);
    try (InputStream in = Objects.requireNonNull(getClass().getResourceAsStream(SAMPLE), SAMPLE)) {
      run.send(client, in);
    }
    if (run.refused() > 0) {
      throw new MemoryException(ErrorCode.INTERNAL, "the sample was refused");
    }
    step(
        "Stored three weeks of a developer and two agents",
        Format.count(run.stored(), "event")
            + ", each on disk before it is acknowledged, "
            + since(start));
  }

  private void await(MemoryClient client) throws InterruptedException {
    long start = system.ticker().nanos();
    screen.progress("waiting for the table of contents ...");
    if (!Polling.until(
        COMPLETE,
        () -> client.admin().status().tocComplete() && client.search().status().behind() == 0)) {
      throw new MemoryException(
          ErrorCode.INTERNAL,
          "the table of contents or the search index is not complete after "
              + Format.time(COMPLETE)
              + ": "
              + TocProgress.of(client.admin().status()).sentence());
    }
    screen.progress("");
    step("Table of contents built", "complete " + since(start) + " later");
  }

  /// Lexical search only: embeddings are computed later, and the tour must print the same every
  /// time.
  private void search(MemoryClient client) {
    screen.line();
    chapter("Where else was this discussed?", "memory search '" + QUERY + "'");
    var request = SearchRequest.of(QUERY, HITS, system.now()).withMode(SearchMode.LEXICAL);
    new SearchReply(request, client.search().search(request), Times.of(client)).print(screen);
  }

  private String since(long start) {
    return Format.time(Duration.ofNanos(system.ticker().nanos() - start));
  }

  private void contents(MemoryClient client) {
    var contents = new TocWalk(client, system.clock());
    Path found = search(contents, Optional.empty(), List.of()).best();
    screen.line();
    chapter("Which retry policy did we decide on, and why?", "From the year down to the answer:");
    draw(contents, found);
    bullets(contents, found);
    after(contents, found);
    Bullet bullet = found.bullet();
    GripId grip = bullet.grips().getFirst();
    screen.line();
    chapter("How do we know?", "Every bullet links to the exact words that support it:");
    client
        .contents()
        .expand(grip, 2, 2)
        .ifPresentOrElse(
            expanded -> new GripReply(expanded, Times.of(client)).print(screen),
            () -> {
              throw new MemoryException(ErrorCode.INTERNAL, "the grip " + grip + " is missing");
            });
  }

  /// The path to the bullet with most of the words that are looked for.
  private Found search(TocWalk contents, Optional<TocNode> parent, List<TocNode> above) {
    var best = new Found(Optional.empty(), -1);
    for (TocNode node : contents.children(parent.map(TocNode::id))) {
      List<TocNode> way = new ArrayList<>(above);
      way.add(node);
      best =
          best.or(
              node.level() == TocLevel.SEGMENT
                  ? Found.in(way)
                  : search(contents, Optional.of(node), way));
    }
    return best;
  }

  /// Draws the path. Siblings on the path are listed without their children.
  private void draw(TocWalk contents, Path path) {
    String indent = "";
    Optional<TocNode> parent = Optional.empty();
    for (TocNode step : path.way()) {
      List<TocNode> siblings = contents.children(parent.map(TocNode::id));
      int at = siblings.indexOf(step);
      siblings.subList(0, Math.max(0, at)).forEach(closed(indent));
      open(step, indent);
      indent += "  ";
      parent = Optional.of(step);
    }
  }

  private void bullets(TocWalk contents, Path path) {
    var times = Times.of(contents.client());
    new TocPrinter(contents, screen, times, /* withEvents= */ false, /* withGrips= */ false)
        .words(path.way().getLast(), "  ".repeat(path.way().size()));
  }

  private Consumer<TocNode> closed(String indent) {
    return node -> {
      String keywords = String.join(", ", node.keywords());
      int room = screen.width() - Columns.width(indent + "▸ " + node.title()) - 2;
      String hint = room < 20 ? "" : "  " + screen.styled(Style.DIM, Columns.cut(keywords, room));
      screen.line(
          indent + "▸ " + Columns.cut(node.title(), screen.width() - indent.length() - 2) + hint);
    };
  }

  private void open(TocNode node, String indent) {
    String title = "▾ " + Columns.cut(node.title(), screen.width() - indent.length() - 2);
    String id = node.id().value();
    boolean fits = Columns.width(indent + title + id) + 2 <= screen.width();
    String styledId = screen.styled(Style.DIM, id);
    screen.line(indent + screen.styled(Style.TITLE, title) + (fits ? "  " + styledId : ""));
    if (!fits) {
      screen.line(indent + "  " + styledId);
    }
  }

  /// The siblings after the path, from the bottom up.
  private void after(TocWalk contents, Path path) {
    List<TocNode> way = path.way();
    for (int level = way.size() - 1; level >= 0; level--) {
      Optional<TocNode> parent = level == 0 ? Optional.empty() : Optional.of(way.get(level - 1));
      List<TocNode> siblings = contents.children(parent.map(TocNode::id));
      int at = siblings.indexOf(way.get(level));
      siblings.subList(at + 1, siblings.size()).forEach(closed("  ".repeat(level)));
    }
  }

  private void chapter(String question, String explanation) {
    screen.line(screen.styled(Style.BOLD, question));
    screen.line(screen.styled(Style.DIM, explanation));
    screen.line();
  }

  private void step(String what, String detail) {
    screen.line(screen.styled(Style.GOOD, "✓ ") + what + screen.styled(Style.DIM, ": " + detail));
  }

  /// A path down to a segment, and the bullet in it that was looked for.
  private record Path(List<TocNode> way, Bullet bullet) {}

  private record Found(Optional<Path> path, long hits) {

    static Found in(List<TocNode> way) {
      var best = new Found(Optional.empty(), -1);
      for (Bullet bullet : way.getLast().bullets()) {
        String text = bullet.text().toLowerCase(Locale.ROOT);
        long hits = SOUGHT.stream().filter(text::contains).count();
        best = best.or(new Found(Optional.of(new Path(way, bullet)), hits));
      }
      return best;
    }

    /// The better one; of two equal ones the earlier one.
    Found or(Found other) {
      return other.hits > hits ? other : this;
    }

    Path best() {
      return path.orElseThrow(
          () -> new MemoryException(ErrorCode.INTERNAL, "the table of contents has no bullets"));
    }
  }
}
