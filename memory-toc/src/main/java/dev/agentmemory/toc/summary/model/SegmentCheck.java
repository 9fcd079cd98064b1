package dev.agentmemory.toc.summary.model;

import dev.agentmemory.toc.summary.Highlight;
import dev.agentmemory.toc.summary.Passage;
import dev.agentmemory.toc.summary.Point;
import dev.agentmemory.toc.summary.Summary;
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
final class SegmentCheck {

  static final int MOST_POINTS = 5;

  /// Salience of an excerpt that the extractive summariser would not have looked at.
  private static final double PLAIN = 0.2;

  private final List<Source> sources = new ArrayList<>();
  private final List<Highlight> highlights;
  private final Scene scene;
  private final Tidy tidy;
  private final Summary extractive;

  /// @param passage as it is stored
  /// @param masked the same with secrets masked, as the model read it
  /// @param extractive what stands there already
  SegmentCheck(Passage passage, Passage masked, Summary extractive) {
    for (int i = 0; i < passage.events().size(); i++) {
      Event event = passage.events().get(i);
      sources.add(
          new Source(
              i + 1,
              event.text(),
              masked.events().get(i).text(),
              Highlight.speaker(event),
              Optional.of(event.role())));
    }
    this.highlights = Highlight.of(passage);
    this.scene = Scene.of(sources, masked.overlap().stream().map(SegmentCheck::said).toList());
    this.tidy = new Tidy(joined(sources), scene);
    this.extractive = extractive;
  }

  private static String said(Event event) {
    return Highlight.speaker(event) + "\n" + event.text();
  }

  private static Source joined(List<Source> sources) {
    var text = new StringBuilder();
    for (Source source : sources) {
      text.append(source.speaker()).append(": ").append(source.text()).append('\n');
    }
    return new Source(0, text.toString(), text.toString(), "", Optional.empty());
  }

  private record Borne(String text, Anchor anchor) {}

  Checked<Summary> check(Answer answer) {
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

  /// What a claim rests on; empty when it rests on nothing.
  private Optional<Anchor> anchor(String text, Claim claim) {
    List<Source> cited =
        sources.stream().filter(source -> claim.events().contains(source.number())).toList();
    if (cited.isEmpty() || text.isBlank()) {
      return Optional.empty();
    }
    return Anchor.find(claim.quote(), cited, sources)
        .filter(
            anchor -> new ClaimCheck(cited, List.of(anchor.source()), scene).fault(text).isEmpty());
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
    int start = anchor.source().original().indexOf(anchor.excerpt());
    int end = start + anchor.excerpt().length();
    return highlights.stream()
        .filter(one -> one.event() == anchor.source().number() - 1)
        .filter(one -> one.start() < end && one.end() > start)
        .mapToDouble(Highlight::salience)
        .max()
        .orElse(PLAIN);
  }
}
