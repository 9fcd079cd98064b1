package dev.agentmemory.toc.summary.extractive;

import dev.agentmemory.toc.summary.Point;
import dev.agentmemory.toc.summary.Summary;
import dev.agentmemory.toc.summary.extractive.Coverage.Candidate;
import dev.agentmemory.toc.summary.extractive.Coverage.Choice;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Summarises what an agent did with its tools. A session of work says the same things many times,
/// before, while and after it is done, so its points are chosen by what they cover together
/// ([Coverage]). Their number grows with what there is to tell.
final class WorkSummary {

  static final int MOST_POINTS = 9;

  private static final int LEAST_POINTS = 3;

  private WorkSummary() {}

  /// @param names names of who takes part, in lower case
  static Summary of(List<SpokenTurn> turns, Set<String> names, Scoring scoring) {
    var weights = new TermWeights();
    turns.forEach(weights::add);
    List<Candidate> candidates = candidates(turns, names, scoring);
    List<Choice> chosen = chosen(candidates, new Coverage(weights));
    Optional<String> title =
        WorkTitles.title(
            turns, candidates, chosen.stream().map(Choice::candidate).toList(), weights);
    List<Point> points = chosen.stream().map(WorkSummary::point).toList();
    return new Summary(title, Optional.empty(), points, keywords(candidates, weights));
  }

  private static List<Candidate> candidates(
      List<SpokenTurn> turns, Set<String> names, Scoring scoring) {
    var statements = new WorkStatements(names, scoring);
    List<Candidate> spoken = statements.of(turns);
    return spoken.isEmpty() ? statements.ofTools(turns) : spoken;
  }

  /// The best ones; a task that was given is always among them, a question only if it is one of the
  /// best.
  private static List<Choice> chosen(List<Candidate> candidates, Coverage coverage) {
    int limit = Math.clamp((candidates.size() + 1) / 2, LEAST_POINTS, MOST_POINTS);
    List<Choice> chosen = coverage.choose(candidates, limit);
    Optional<Candidate> asked = candidates.stream().filter(Candidate::isTask).findFirst();
    if (asked.isEmpty() || chosen.stream().anyMatch(choice -> choice.candidate().isAsked())) {
      return chosen;
    }
    List<Choice> withAsked =
        new ArrayList<>(chosen.subList(0, Math.min(chosen.size(), MOST_POINTS - 1)));
    withAsked.add(coverage.beside(asked.get(), withAsked));
    return withAsked;
  }

  private static List<String> keywords(List<Candidate> candidates, TermWeights weights) {
    var keywords = new Keywords(TermWeights.common());
    for (Candidate one : candidates) {
      keywords.add(one.statement(), Scoring.salience(one.score()));
    }
    List<String> best = keywords.best();
    return best.isEmpty() ? weights.names(Keywords.MAX) : best;
  }

  private static Point point(Choice choice) {
    Statement statement = choice.candidate().statement();
    int index = statement.turn().index();
    return new Point(choice.candidate().text(), statement.raw(), index, index, choice.salience());
  }
}
