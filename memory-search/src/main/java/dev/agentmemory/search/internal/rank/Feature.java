package dev.agentmemory.search.internal.rank;

/// What a turn's score is made of. The weights are round: they were chosen on conversations of two
/// kinds at once, that of the session also on sessions of coding agents.
public enum Feature {
  /// BM25 of the turn's own words.
  TURN(0.2),
  /// BM25 of the turn and two neighbours on each side, as if they were one text.
  WINDOW(0.4),
  /// BM25 of what people and agents said in its session, as if it were one text; of a session with
  /// more than 2,000 turns, in those.
  SESSION(0.1),
  /// The same again where a tool or a program wrote one of the candidates: in a session of work the
  /// turn that answers is often output, which says little in the words of the question.
  SESSION_OF_WORK(0.7),
  /// Cosine of the turn.
  MEANING(1.0),
  /// Mean cosine of the neighbours.
  MEANING_AROUND(0.3),
  /// Mean of the best cosines among the turns of its session that are near a hit.
  MEANING_SESSION(0.1),
  /// Weight of the query's identifiers that occur as they are written.
  EXACT(0.5),
  /// The question names the speaker.
  SPEAKER(1.0),
  /// The question is in the first person and the user speaks, or in the second and the assistant.
  PERSON(1.0),
  /// BM25 of the question that the turn answers, if a named speaker answers it: people's answers
  /// are short and omit what the question said. An assistant's answer repeats it.
  ANSWER(0.2),
  /// The turn itself asks.
  QUESTION(-0.5),
  /// The turn asks what is asked now, in nearly the same words: it is near to the question and
  /// answers nothing.
  ECHO(-3.0),
  /// Length of the turn, as a logarithm.
  LENGTH(0.2),
  /// What part of the weight of the query's words is in it.
  COVER(1.5),
  /// How well it fits the time that the query names.
  TIME(0.5),
  /// Share of the quoted phrases that it holds, where quotes only prefer.
  PHRASE(2.0),
  /// What it was raised by because it is the newest of its like; no candidate has it by itself.
  FRESHNESS(0);

  private final double weight;

  Feature(double weight) {
    this.weight = weight;
  }

  /// Its part in the sum that is the score.
  double weight() {
    return weight;
  }

  /// Whether a value means the same for every query: 0 to 1, or a count.
  boolean hasScale() {
    return switch (this) {
      case TURN,
          WINDOW,
          SESSION,
          SESSION_OF_WORK,
          MEANING,
          MEANING_AROUND,
          MEANING_SESSION,
          ANSWER,
          LENGTH ->
          false;
      case EXACT, SPEAKER, PERSON, QUESTION, ECHO, COVER, TIME, PHRASE, FRESHNESS -> true;
    };
  }
}
