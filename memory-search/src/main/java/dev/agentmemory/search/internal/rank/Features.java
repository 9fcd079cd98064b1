package dev.agentmemory.search.internal.rank;

import dev.agentmemory.search.internal.index.Fields;
import dev.agentmemory.search.internal.query.IndexQuery;
import dev.agentmemory.search.internal.text.Traits;
import dev.agentmemory.types.Span;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.apache.lucene.search.IndexSearcher;

/// Computes the features of the turns that were read.
final class Features {

  /// Neighbours on each side that belong to a turn's window.
  static final int AROUND = 2;

  /// Number of best cosines that count for a session, which may have several subjects.
  private static final int BEST = 3;

  private static final double DAY_MILLIS = 86_400_000;

  /// What is longer than this, in UTF-16 units, is not more telling for it.
  private static final int LONG = 200;

  /// Terms that the index keeps of every turn beside its text: the speaker and the date.
  private static final int AROUND_TEXT = 5;

  /// A question has about half as many words again as terms are looked for: those that only ask.
  private static final double ASKING_WORDS = 1.5;

  private static final Set<String> FIRST =
      Set.of("i", "me", "my", "mine", "i'm", "i've", "we", "our");
  private static final Set<String> SECOND = Set.of("you", "your");

  private final IndexQuery question;
  private final QueryWeights weights;

  Features(IndexSearcher searcher, IndexQuery question) throws IOException {
    this.question = question;
    weights = new QueryWeights(searcher, Fields.WORDS, question.terms());
  }

  /// Fills in the features of the candidates of a session.
  ///
  /// @param usual average of what was said in a session, in terms
  void fill(SessionTurns found, double usual) {
    List<CandidateTurn> turns = found.turns();
    SpokenWords spoken = found.spoken();
    double session = weights.bm25(spoken.counts(), spoken.length(), Math.max(1, usual));
    double meaning = meaning(turns);
    for (int i = 0; i < turns.size(); i++) {
      CandidateTurn turn = turns.get(i);
      if (!turn.candidate) {
        continue;
      }
      turn.set(Feature.SESSION, session);
      turn.set(Feature.MEANING_SESSION, meaning);
      turn.set(Feature.TURN, weights.bm25(turn.counts, turn.length, weights.averageLength()));
      turn.set(Feature.MEANING, turn.cosine);
      turn.set(Feature.ANSWER, i == 0 ? 0 : answer(turns.get(i - 1), turn));
      around(turns, i);
      alone(turn);
    }
  }

  private double answer(CandidateTurn before, CandidateTurn turn) {
    boolean answers =
        turn.traits.named() && before.traits.question() && before.place == turn.place - 1;
    return answers ? weights.bm25(before.counts, before.length, weights.averageLength()) : 0;
  }

  private void around(List<CandidateTurn> turns, int at) {
    CandidateTurn turn = turns.get(at);
    float[] counts = new float[weights.size()];
    double length = 0;
    double cosines = 0;
    int measured = 0;
    for (int i = Math.max(0, at - AROUND); i <= Math.min(turns.size() - 1, at + AROUND); i++) {
      CandidateTurn near = turns.get(i);
      if (Math.abs(near.place - turn.place) <= AROUND) {
        add(counts, near.counts);
        length += near.length;
        if (i != at && !Double.isNaN(near.cosine)) {
          cosines += near.cosine;
          measured++;
        }
      }
    }
    turn.set(
        Feature.WINDOW, weights.bm25(counts, length, weights.averageLength() * (2 * AROUND + 1)));
    turn.set(Feature.MEANING_AROUND, measured == 0 ? turn.cosine : cosines / measured);
  }

  private void alone(CandidateTurn turn) {
    Traits traits = turn.traits;
    turn.cover = weights.cover(turn.counts);
    turn.set(Feature.COVER, turn.cover);
    turn.set(Feature.QUESTION, traits.question() ? 1 : 0);
    turn.set(Feature.ECHO, traits.question() ? Math.pow(turn.cover, 4) * alike(turn) : 0);
    turn.set(Feature.LENGTH, Math.log(1 + Math.min(LONG, traits.chars())));
    turn.set(Feature.SPEAKER, question.names().contains(turn.speaker) ? 1 : 0);
    turn.set(Feature.EXACT, turn.identifiers / Math.max(1.0, question.identifiers().size()));
    turn.set(Feature.PHRASE, turn.phrases);
    turn.set(Feature.TIME, question.time().map(span -> fit(span, turn)).orElse(0.0));
    boolean person =
        switch (traits.role()) {
          case USER -> question.names().stream().anyMatch(FIRST::contains);
          case ASSISTANT -> question.names().stream().anyMatch(SECOND::contains);
          case SYSTEM, TOOL -> false;
        };
    turn.set(Feature.PERSON, person ? 1 : 0);
  }

  /// 1 inside a span of time; outside, less with every length of the span (of a day, if that is
  /// longer) that lies between.
  private static double fit(Span span, CandidateTurn turn) {
    double start = span.start().toEpochMilli();
    double end = span.end().toEpochMilli();
    double away = Math.max(0, Math.max(start - turn.time, turn.time - end));
    return Math.exp(-away / Math.max(end - start, DAY_MILLIS));
  }

  /// How nearly a turn has no more words than the question, 0 to 1.
  private double alike(CandidateTurn turn) {
    double words = Math.max(1, turn.length - AROUND_TEXT);
    return Math.min(1, ASKING_WORDS * weights.size() / words);
  }

  /// What part of the weight of the query's words is in a turn's window, 0 to 1.
  double cover(CandidateTurn turn) {
    return weights.share(turn.get(Feature.WINDOW));
  }

  /// The mean of the best few.
  private static double meaning(List<CandidateTurn> turns) {
    return turns.stream()
        .map(turn -> turn.cosine)
        .filter(cosine -> !Double.isNaN(cosine))
        .sorted(Comparator.reverseOrder())
        .limit(BEST)
        .mapToDouble(cosine -> cosine)
        .average()
        .orElse(Double.NaN);
  }

  private static void add(float[] sum, float[] counts) {
    for (int t = 0; t < sum.length; t++) {
      sum[t] += counts[t];
    }
  }
}
