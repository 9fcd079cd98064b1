package dev.agentmemory.search.internal.rank;

/// The features of a turn's score.
public enum Feature {
  /// BM25 of the turn's own words.
  TURN,
  /// BM25 of the turn and two neighbours on each side, as if they were one text.
  WINDOW,
  /// BM25 of the turns that were read of its session.
  SESSION,
  /// Cosine of the turn.
  MEANING,
  /// Mean cosine of the neighbours.
  MEANING_AROUND,
  /// Mean of the best cosines of these turns.
  MEANING_SESSION,
  /// Weight of the query's identifiers that occur as they are written.
  EXACT,
  /// The question names the speaker.
  SPEAKER,
  /// The question is in the first person and the user speaks, or in the second and the assistant.
  PERSON,
  /// BM25 of the question that the turn answers, if somebody with a name answers it: what people
  /// say when they are asked is short and leaves out what the question said. An assistant's answer
  /// repeats it.
  ANSWER,
  /// The turn itself asks.
  QUESTION,
  /// The turn asks what is asked now, in nearly the same words: it is near to the question and
  /// answers nothing.
  ECHO,
  /// Length of the turn, as a logarithm.
  LENGTH,
  /// What part of the weight of the query's words is in it.
  COVER,
  /// How well it fits the time that the query names.
  TIME,
  /// Share of the quoted phrases that it holds, where quotes only prefer.
  PHRASE,
  /// What it was raised by because it is the newest of its like; no candidate has it by itself.
  FRESHNESS;

  /// Whether a value means the same for every query: 0 to 1, or a count.
  boolean hasScale() {
    return switch (this) {
      case TURN, WINDOW, SESSION, MEANING, MEANING_AROUND, MEANING_SESSION, ANSWER, LENGTH -> false;
      case EXACT, SPEAKER, PERSON, QUESTION, ECHO, COVER, TIME, PHRASE, FRESHNESS -> true;
    };
  }
}
