package dev.agentmemory.toc.internal.check;

/// Why a statement is not believed.
public enum ClaimProblem {
  /// It says nothing, or cites nothing that exists.
  EMPTY,
  /// Its quote is not to be found, not even nearly.
  QUOTE,
  /// It has a number that its evidence does not have.
  NUMBER,
  /// It has an identifier, a path, a version or a link that its evidence does not have.
  IDENTIFIER,
  /// It contains a name that the transcript does not.
  NAME,
  /// It attributes a statement to the wrong person.
  SPEAKER,
  /// It denies what its evidence says, or the other way round.
  NEGATION,
  /// It states what its evidence only asks, or has under a condition.
  OPEN,
  /// It has letters of another script that look alike.
  SCRIPT,
  /// Too few of its words are in its evidence.
  CONTENT
}
