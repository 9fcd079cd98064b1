package dev.agentmemory.toc.summary.extractive;

import dev.agentmemory.text.SpeakerKind;
import dev.agentmemory.text.Term;
import dev.agentmemory.text.Terms;
import dev.agentmemory.toc.summary.Digest;
import dev.agentmemory.toc.summary.PeriodPart;
import dev.agentmemory.toc.summary.Point;
import dev.agentmemory.toc.summary.SegmentText;
import dev.agentmemory.toc.summary.Summarizer;
import dev.agentmemory.toc.summary.Summary;
import dev.agentmemory.toc.summary.extractive.Picker.Scored;
import dev.agentmemory.types.TocLevel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Summarises with the words of the conversation alone, without a model, a network or a key.
///
/// A turn is read for what it states ([StatementReader]), each statement is scored by its shape and
/// place ([Scoring]), and the best ones that do not repeat each other become points ([Picker]). So
/// a point can only repeat what was said, and equal input gives equal output. The work of an agent
/// has rules of its own ([WorkSummary]).
public final class ExtractiveSummarizer implements Summarizer {

  private static final int MAX_POINTS = 5;
  private static final double LEAST_SCORE = 1.2;

  private final PeriodBullets.Readings readings = new PeriodBullets.Readings();

  @Override
  public String name() {
    return "extractive";
  }

  @Override
  public Summary summarize(SegmentText passage) {
    List<SpokenTurn> turns = turns(passage);
    Set<String> names = names(turns);
    return WorkStatements.isWork(turns)
        ? WorkSummary.of(turns, names, scoring(turns, List.of()))
        : summary(turns, statements(turns, names), names);
  }

  static List<SpokenTurn> turns(SegmentText passage) {
    var turns = new ArrayList<SpokenTurn>(passage.events().size());
    for (int i = 0; i < passage.events().size(); i++) {
      turns.add(SpokenTurn.of(i, passage.events().get(i)));
    }
    return turns;
  }

  /// Statements of people and agents; statements of tools only if there are no others.
  static List<Statement> statements(List<SpokenTurn> turns, Set<String> names) {
    var reader = new StatementReader(names);
    List<Statement> statements = read(reader, turns, true);
    return statements.isEmpty() ? read(reader, turns, false) : statements;
  }

  @Override
  public Digest digest(TocLevel level, List<PeriodPart> parts) {
    return PeriodDigest.of(level, parts, readings);
  }

  private static List<Statement> read(
      StatementReader reader, List<SpokenTurn> turns, boolean spoken) {
    var statements = new ArrayList<Statement>();
    for (SpokenTurn turn : turns) {
      if (spoken ? turn.isSpoken() : turn.kind() == SpeakerKind.TOOL) {
        statements.addAll(reader.read(turn));
      }
    }
    return statements;
  }

  private static Summary summary(
      List<SpokenTurn> turns, List<Statement> statements, Set<String> names) {
    List<Scored> scored = scored(turns, statements);
    int limit = Math.min(MAX_POINTS, 1 + (scored.size() * 3 + 3) / 5);
    List<Scored> chosen = Picker.pick(scored, limit, LEAST_SCORE);
    var keywords = new Keywords(names);
    for (Scored one : scored) {
      keywords.add(one.statement(), Scoring.salience(one.score()));
    }
    List<String> terms = keywords.best();
    Optional<String> title =
        Titles.title(statements, chosen.stream().map(Scored::statement).toList(), terms);
    List<Point> points = chosen.stream().map(ExtractiveSummarizer::point).toList();
    return new Summary(title, Optional.empty(), points, terms);
  }

  static List<Scored> scored(List<SpokenTurn> turns, List<Statement> statements) {
    Scoring scoring = scoring(turns, statements);
    var scored = new ArrayList<Scored>(statements.size());
    for (Statement statement : statements) {
      scored.add(new Scored(statement, scoring.score(statement)));
    }
    return scored;
  }

  private static Scoring scoring(List<SpokenTurn> turns, List<Statement> statements) {
    var settings = new ArrayList<DialogueContext>(turns.size());
    for (SpokenTurn turn : turns) {
      settings.add(DialogueContext.of(turns, turn.index()));
    }
    return new Scoring(settings, turnsWith(statements), Reactions.of(turns, statements));
  }

  /// In how many turns each key occurs.
  private static Map<String, Integer> turnsWith(List<Statement> statements) {
    var counts = new HashMap<String, Integer>();
    var seen = new HashSet<String>();
    int turn = -1;
    for (Statement statement : statements) {
      if (statement.turn().index() != turn) {
        turn = statement.turn().index();
        seen.clear();
      }
      for (String key : statement.keys()) {
        if (seen.add(key)) {
          counts.merge(key, 1, Integer::sum);
        }
      }
    }
    return counts;
  }

  private static Point point(Scored scored) {
    Statement statement = scored.statement();
    int index = statement.turn().index();
    String text = statement.turn().attribution() + statement.readable();
    return new Point(text, statement.raw(), index, index, Scoring.salience(scored.score()));
  }

  static Set<String> names(List<SpokenTurn> turns) {
    var names = new HashSet<String>();
    var speakers = new HashSet<String>();
    for (SpokenTurn turn : turns) {
      if (!turn.speaker().isEmpty() && speakers.add(turn.speaker())) {
        for (Term term : Terms.of(turn.speaker())) {
          names.add(term.key());
        }
      }
    }
    return names;
  }
}
