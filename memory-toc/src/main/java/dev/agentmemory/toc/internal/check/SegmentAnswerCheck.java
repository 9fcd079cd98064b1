package dev.agentmemory.toc.internal.check;

import dev.agentmemory.toc.summary.Point;
import dev.agentmemory.toc.summary.SegmentText;
import dev.agentmemory.toc.summary.Summary;
import dev.agentmemory.toc.summary.extractive.Highlight;
import dev.agentmemory.types.Event;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Holds an answer about a segment against its events. What is left has a verbatim excerpt of one
/// event for every point, and the point's numbers and identifiers stand in that event. Pure: knows
/// no model and no store.
public final class SegmentAnswerCheck {

  static final int MOST_POINTS = 5;

  /// Salience of an excerpt that the extractive summariser would not have looked at.
  private static final double PLAIN = 0.2;

  private final List<ClaimSource> sources = new ArrayList<>();
  private final List<Highlight> highlights;
  private final DialogueNames names;
  private final Tidy tidy;
  private final Summary extractive;

  /// @param extractive what stands there already
  public SegmentAnswerCheck(Transcript transcript, Summary extractive) {
    SegmentText passage = transcript.passage();
    SegmentText masked = transcript.masked();
    var beside = new ArrayList<String>();
    for (int i = 0; i < passage.events().size(); i++) {
      Event event = masked.events().get(i);
      sources.add(
          new ClaimSource(
              i + 1,
              passage.events().get(i).text(),
              event.text(),
              Highlight.speaker(event),
              Optional.of(event.role())));
      if (event.text().length() > ClaimSource.MOST_CHARS) {
        // Nothing of the rest may be quoted, but who is named there is known.
        beside.add(event.text());
      }
    }
    masked.overlap().forEach(event -> beside.add(said(event)));
    this.highlights = transcript.highlights();
    this.names = DialogueNames.of(sources, beside);
    this.tidy = new Tidy(joined(sources), names);
    this.extractive = extractive;
  }

  private static String said(Event event) {
    return Highlight.speaker(event) + "\n" + event.text();
  }

  private static ClaimSource joined(List<ClaimSource> sources) {
    var text = new StringBuilder();
    for (ClaimSource source : sources) {
      text.append(source.speaker()).append(": ").append(source.text()).append('\n');
    }
    return ClaimSource.joined(0, text.toString());
  }

  private record Borne(String text, Anchor anchor) {}

  public Checked<Summary> check(Answer answer) {
    int unsupported = answer.odd();
    var borne = new ArrayList<Borne>();
    Set<String> seen = new HashSet<>();
    for (Claim claim : answer.claims()) {
      String text = Tidy.line(claim.text(), Tidy.MOST_TEXT);
      Optional<Anchor> anchor = anchor(text, claim);
      if (anchor.isEmpty()) {
        unsupported++;
      } else if (borne.size() < MOST_POINTS && isNew(text, anchor.get(), seen)) {
        borne.add(new Borne(text, anchor.get()));
      }
    }
    List<Point> points = points(borne);
    return new Checked<>(
        points.isEmpty()
            ? Optional.empty()
            : Optional.of(
                new Summary(
                    tidy.title(answer.title()).or(extractive::title),
                    tidy.prose(answer.prose()),
                    points,
                    tidy.keywords(answer.keywords(), extractive.keywords()))),
        unsupported);
  }

  /// The evidence of a claim; empty when it has none.
  private Optional<Anchor> anchor(String text, Claim claim) {
    List<ClaimSource> cited =
        sources.stream().filter(source -> claim.events().contains(source.number())).toList();
    if (cited.isEmpty() || text.isBlank()) {
      return Optional.empty();
    }
    return Anchor.find(claim.quote(), cited, sources)
        .filter(
            anchor -> new ClaimCheck(cited, List.of(anchor.source()), names).fault(text).isEmpty());
  }

  private static boolean isNew(String text, Anchor anchor, Set<String> seen) {
    boolean words = seen.add("text " + Folded.of(text).text());
    boolean place = seen.add("at " + anchor.source().number() + " " + anchor.excerpt());
    return words && place;
  }

  private List<Point> points(List<Borne> borne) {
    List<Double> salience = Rank.blend(borne.stream().map(one -> salience(one.anchor())).toList());
    var points = new ArrayList<Point>();
    for (int i = 0; i < borne.size(); i++) {
      Anchor anchor = borne.get(i).anchor();
      int index = anchor.source().number() - 1;
      points.add(new Point(borne.get(i).text(), anchor.excerpt(), index, index, salience.get(i)));
    }
    points.sort(Comparator.comparingDouble(Point::salience).reversed());
    return points;
  }

  /// That of the most important statement which the excerpt touches.
  private double salience(Anchor anchor) {
    int start = anchor.source().text().indexOf(anchor.excerpt());
    int end = start + anchor.excerpt().length();
    return highlights.stream()
        .filter(one -> one.event() == anchor.source().number() - 1)
        .filter(one -> one.start() < end && one.end() > start)
        .mapToDouble(Highlight::salience)
        .max()
        .orElse(PLAIN);
  }
}
