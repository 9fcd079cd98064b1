package dev.agentmemory.cli.reply;

import dev.agentmemory.api.search.Hit;
import dev.agentmemory.api.search.Parts;
import dev.agentmemory.api.search.SearchAnswer;
import dev.agentmemory.api.search.SearchRequest;
import dev.agentmemory.cli.terminal.Columns;
import dev.agentmemory.cli.terminal.Format;
import dev.agentmemory.cli.terminal.JsonWriter;
import dev.agentmemory.cli.terminal.Reply;
import dev.agentmemory.cli.terminal.TermHighlight;
import dev.agentmemory.cli.terminal.Terminal;
import dev.agentmemory.cli.terminal.Terminal.Style;
import dev.agentmemory.cli.time.Times;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.NodeId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

/// The results of a search, each with commands for further reading.
public record SearchReply(SearchRequest request, SearchAnswer answer, Times times)
    implements Reply {

  private static final String INDENT = "    ";

  @Override
  public void print(Terminal screen) {
    screen.wrapped("", "", summary(), Style.KEY);
    answer
        .time()
        .ifPresent(time -> {
          String range = times.second(time.start()) + " to " + times.second(time.end());
          screen.wrapped("", "", "time in the query: " + range, Style.DIM);
        });
    answer.degraded().ifPresent(why -> screen.wrapped("", "", "limited search: " + why, Style.BAD));
    int number = request.offset();
    for (Hit hit : answer.hits()) {
      number++;
      screen.line();
      print(screen, number, hit);
    }
    if (!answer.near().isEmpty()) {
      screen.line();
      screen.wrapped("", "", "closest matches without the quotes:", Style.DIM);
    }
    int near = 0;
    for (Hit hit : answer.near()) {
      near++;
      screen.line();
      print(screen, near, hit);
    }
  }

  private String summary() {
    int hits = answer.hits().size();
    if (hits == 0) {
      return "no hits: " + answer.nothingBecause().orElse("nothing matches");
    }
    int from = request.offset() + 1;
    int to = request.offset() + hits;
    String by =
        switch (answer.used()) {
          case LEXICAL -> "by words";
          case SEMANTIC -> "by meaning";
          case HYBRID, AUTO -> "by words and meaning";
        };
    String which = from == 1 ? Format.count(hits, "hit") : "hits " + from + " to " + to;
    boolean reachable = answer.more() && to <= SearchRequest.MAX_REACH - request.limit();
    return which + " " + by + (reachable ? "; more with --offset " + to : "");
  }

  private void print(Terminal screen, int number, Hit hit) {
    String place = "%-3d ".formatted(number);
    String head = times.second(hit.time()) + "  " + name(hit);
    String relevance = "relevance " + two(hit.relevance());
    int room = Math.max(20, screen.width() - place.length() - relevance.length() - 2);
    screen.line(
        screen.styled(Style.DIM, place)
            + screen.styled(Style.TITLE, Columns.cut(head, room))
            + "  "
            + screen.styled(Style.DIM, relevance));
    TermHighlight highlight = TermHighlight.of(hit.snippet());
    Columns.wrap(hit.snippet().text(), screen.width() - INDENT.length()).stream()
        .filter(line -> !line.isEmpty())
        .forEach(line -> screen.line(INDENT + highlight.paint(screen, line, Style.MARK)));
    if (hit.said().times() > 1) {
      String said =
          "said " + hit.said().times() + " times since " + times.second(hit.said().since());
      screen.wrapped(INDENT, INDENT, said, Style.DIM);
    }
    if (request.explain()) {
      screen.wrapped(INDENT, INDENT, explained(hit), Style.DIM);
    }
    // Not broken into lines, so that they can be copied.
    ways(hit).forEach(way -> screen.line(INDENT + screen.styled(Style.DIM, way)));
  }

  private static String name(Hit hit) {
    String role = hit.role().map(JsonForms::word).orElse("");
    return hit.title()
        .orElseGet(() -> hit.agent().map(agent -> role + " (" + agent + ")").orElse(role));
  }

  /// Commands that show more about a hit.
  private static List<String> ways(Hit hit) {
    List<String> ways = new ArrayList<>();
    hit.memory().ifPresent(id -> ways.add("memory memories get " + id));
    Optional<NodeId> node = hit.node().or(() -> last(hit.path()));
    node.ifPresent(id -> ways.add("memory toc " + id));
    if (!hit.grips().isEmpty()) {
      int more = hit.grips().size() - 1;
      ways.add("memory grip " + hit.grips().getFirst() + (more == 0 ? "" : "  (+" + more + ")"));
    }
    if (node.isEmpty() && hit.memory().isEmpty()) {
      // A recent event is not in the table of contents yet.
      hit.session().ifPresent(session -> ways.add("memory events --session " + session));
    }
    return ways;
  }

  private static <T> Optional<T> last(List<T> list) {
    return list.isEmpty() ? Optional.empty() : Optional.of(list.getLast());
  }

  private static String explained(Hit hit) {
    Parts parts = hit.parts();
    var text = new StringBuilder("score " + two(hit.score()));
    text.append(rank("words", parts.lexicalRank(), parts.lexical()));
    text.append(rank("meaning", parts.semanticRank(), parts.semantic()));
    text.append(", time ").append(two(parts.time()));
    text.append(", decay ").append(two(parts.decay()));
    String separator = "; ";
    for (Map.Entry<String, Double> part : byWeight(parts.features())) {
      text.append(separator).append(part.getKey()).append(' ').append(two(part.getValue()));
      separator = ", ";
    }
    return text.toString();
  }

  private static String rank(String by, OptionalInt rank, double value) {
    return rank.isPresent() ? ", " + by + " #" + rank.getAsInt() + " " + two(value) : "";
  }

  private static List<Map.Entry<String, Double>> byWeight(Map<String, Double> features) {
    return features.entrySet().stream()
        .sorted(
            Comparator.comparingDouble(
                    (Map.Entry<String, Double> part) -> -Math.abs(part.getValue()))
                .thenComparing(Map.Entry::getKey))
        .toList();
  }

  private static String two(double number) {
    return String.format(Locale.ROOT, "%.2f", number);
  }

  @Override
  public void write(JsonWriter json) {
    json.text("query", request.query())
        .text("used", JsonForms.word(answer.used()))
        .text("degraded", answer.degraded())
        .text("nothing_because", answer.nothingBecause())
        .time("time_from_ms", answer.time().map(time -> time.start()))
        .time("time_to_ms", answer.time().map(time -> time.end()))
        .flag("more", answer.more())
        .list("hits", answer.hits(), hit -> write(json, hit))
        .list("near", answer.near(), hit -> write(json, hit));
  }

  private static void write(JsonWriter json, Hit hit) {
    json.text("kind", JsonForms.word(hit.kind()))
        .text("event_id", hit.event().map(key -> key.id().value()))
        .text("node_id", hit.node().map(NodeId::value))
        .time("time_ms", hit.time())
        .text("role", hit.role().map(JsonForms::word))
        .text("agent", hit.agent())
        .text("title", hit.title())
        .text("session_id", hit.session().map(session -> session.value()))
        .number("score", hit.score())
        .number("relevance", hit.relevance())
        .object("parts", () -> write(json, hit.parts()))
        .text("snippet", hit.snippet().text())
        .list(
            "highlights",
            hit.snippet().highlights(),
            highlight -> json.number("start", highlight.start()).number("end", highlight.end()))
        .texts("path", hit.path())
        .texts("grip_ids", hit.grips())
        .number("said_times", hit.said().times())
        .time("said_since_ms", hit.said().since())
        .text("memory_id", hit.memory().map(MemoryId::value));
  }

  private static void write(JsonWriter json, Parts parts) {
    json.number("lexical_rank", boxed(parts.lexicalRank()))
        .number("semantic_rank", boxed(parts.semanticRank()))
        .number("lexical", parts.lexical())
        .number("semantic", parts.semantic())
        .number("time", parts.time())
        .number("decay", parts.decay())
        .object(
            "features",
            () ->
                new TreeMap<>(parts.features())
                    .forEach((name, value) -> json.number(name, value.doubleValue())));
  }

  private static Optional<Integer> boxed(OptionalInt rank) {
    return rank.isPresent() ? Optional.of(rank.getAsInt()) : Optional.empty();
  }
}
