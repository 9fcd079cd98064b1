package dev.agentmemory.search;

import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventKey;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToIntFunction;

/// Puts the best evidence for a question together as Markdown inside a token budget: the best hits,
/// none that says what another one says, in the order of time, turns that follow each other under
/// one heading, each with its citation.
public final class ContextBuilder {

  /// Hits that evidence is chosen from.
  private static final int CHOICE = 50;

  /// How much a hit's worth counts against being unlike those that are chosen.
  private static final double WORTH = 0.7;

  /// Turns that share this part of their words are not quoted beside each other.
  private static final double SAME = 0.75;

  /// Longest text of one turn, in UTF-16 units; what is longer is quoted around what matched.
  private static final int WHOLE = 1200;

  private final Searcher searcher;
  private final Sources sources;
  private final ToIntFunction<String> tokens;
  private final Analysis analysis = new Analysis();
  private final DateTimeFormatter day;
  private final DateTimeFormatter clock;

  /// @param tokens counts a text's tokens; they are added up, piece by piece
  public ContextBuilder(Searcher searcher, Sources sources, ToIntFunction<String> tokens) {
    this.searcher = searcher;
    this.sources = sources;
    this.tokens = tokens;
    this.day =
        DateTimeFormatter.ofPattern("EEEE, d MMMM uuuu", Locale.ENGLISH).withZone(sources.zone());
    this.clock = DateTimeFormatter.ofPattern("HH:mm", Locale.ENGLISH).withZone(sources.zone());
  }

  /// @param question its limit and offset do not matter, and it is about events only
  /// @param budget tokens, 1 and up
  public Evidence build(SearchRequest question, int budget) {
    if (budget < 1) {
      throw new IllegalArgumentException("budget below 1: " + budget);
    }
    SearchAnswer answer =
        searcher.search(
            new SearchRequest(
                question.query(),
                question.mode(),
                eventsOnly(question.filters()),
                CHOICE,
                0,
                question.minRelevance(),
                false,
                question.now()));
    List<Piece> chosen = choose(pieces(answer), budget);
    chosen.sort(Comparator.comparing(piece -> piece.event().key()));
    String markdown = written(chosen);
    Optional<String> nothing =
        chosen.isEmpty() && !answer.hits().isEmpty()
            ? Optional.of("the budget is too small for any hit")
            : answer.nothingBecause();
    return new Evidence(
        markdown,
        tokens.applyAsInt(markdown),
        chosen.stream().map(piece -> piece.event().key()).toList(),
        answer.degraded(),
        nothing);
  }

  private static Filters eventsOnly(Filters filters) {
    return new Filters(
        filters.session(),
        filters.agent(),
        filters.role(),
        filters.after(),
        filters.before(),
        Optional.empty(),
        Set.of(Kind.EVENT),
        filters.tags());
  }

  /// A hit as it would be written.
  ///
  /// @param worth 0 to 1 among the hits of the answer
  private record Piece(Hit hit, Event event, String line, Set<String> terms, double worth) {}

  private List<Piece> pieces(SearchAnswer answer) {
    List<EventKey> keys = answer.hits().stream().flatMap(hit -> hit.event().stream()).toList();
    Map<EventKey, Event> events = new HashMap<>();
    sources.events().events(keys).forEach(event -> events.put(event.key(), event));
    double best = answer.hits().stream().mapToDouble(Hit::score).max().orElse(0);
    double least = answer.hits().stream().mapToDouble(Hit::score).min().orElse(0);
    List<Piece> pieces = new ArrayList<>();
    for (Hit hit : answer.hits()) {
      Optional<Event> event = hit.event().flatMap(key -> Optional.ofNullable(events.get(key)));
      if (event.isPresent()) {
        double worth = best > least ? (hit.score() - least) / (best - least) : 1;
        Set<String> terms = new HashSet<>(Analysis.terms(analysis.words(), hit.snippet().text()));
        pieces.add(new Piece(hit, event.get(), line(hit, event.get()), terms, worth));
      }
    }
    return pieces;
  }

  private String line(Hit hit, Event event) {
    String text = event.text().length() <= WHOLE ? event.text() : hit.snippet().text();
    StringBuilder line = new StringBuilder("- ");
    line.append(clock.format(event.timestamp()));
    line.append(" **").append(Speakers.of(event)).append("**: ");
    line.append(text.strip().replaceAll("\\s*\\R\\s*", " "));
    line.append(" [").append(citation(event.key())).append(']');
    hit.grips().stream().limit(1).forEach(grip -> line.append(" [").append(grip).append(']'));
    return line.append('\n').toString();
  }

  static String citation(EventKey key) {
    return String.format(
        Locale.ROOT, "evt:%013d:%s", key.timestamp().toEpochMilli(), key.id().value());
  }

  /// The most worth for the budget, one after the other: a hit is worth less the more it is like
  /// one that is chosen already (maximal marginal relevance).
  private List<Piece> choose(List<Piece> pieces, int budget) {
    List<Piece> left = new ArrayList<>(pieces);
    List<Piece> chosen = new ArrayList<>();
    int used = 0;
    while (!left.isEmpty()) {
      Piece next =
          left.stream()
              .max(Comparator.comparingDouble(piece -> marginal(piece, chosen)))
              .orElseThrow();
      left.remove(next);
      // Headings may repeat; one for each turn is the most that there can be.
      int cost = tokens.applyAsInt(next.line()) + tokens.applyAsInt(heading(next.event()));
      if (used + cost <= budget && alike(next, chosen) < SAME) {
        used += cost;
        chosen.add(next);
      }
    }
    return chosen;
  }

  private static double marginal(Piece piece, List<Piece> chosen) {
    return WORTH * piece.worth() - (1 - WORTH) * alike(piece, chosen);
  }

  private static double alike(Piece piece, List<Piece> chosen) {
    return chosen.stream()
        .mapToDouble(other -> likeness(piece.terms(), other.terms()))
        .max()
        .orElse(0);
  }

  private static double likeness(Set<String> one, Set<String> other) {
    long both = one.stream().filter(other::contains).count();
    long all = one.size() + other.size() - both;
    return all == 0 ? 0 : (double) both / all;
  }

  private String heading(Event event) {
    return "### " + day.format(event.timestamp()) + ", session " + event.session() + "\n";
  }

  private String written(List<Piece> chosen) {
    StringBuilder markdown = new StringBuilder();
    String last = "";
    for (Piece piece : chosen) {
      String heading = heading(piece.event());
      if (!heading.equals(last)) {
        markdown.append(last.isEmpty() ? "" : "\n").append(heading);
      }
      markdown.append(piece.line());
      last = heading;
    }
    return markdown.toString();
  }
}
