package dev.agentmemory.recall.extract;

import dev.agentmemory.recall.internal.grammar.ClauseShape;
import dev.agentmemory.recall.internal.grammar.Clauses;
import dev.agentmemory.recall.internal.grammar.CueMatcher;
import dev.agentmemory.recall.internal.grammar.WordToken;
import dev.agentmemory.text.Lexicon;
import java.util.Arrays;
import java.util.List;

/// What the wordings of a section of `cues.txt` hint at.
enum CueGroup {
  DECISION_CERTAIN("decision certain"),
  DECISION_EXPLICIT("decision explicit"),
  DECISION_CHOICE("decision choice"),
  PREFERENCE_CERTAIN("preference certain"),
  PREFERENCE_TASTE("preference taste"),
  PREFERENCE_ORDER("preference order"),
  ASKED_ORDER("asked order"),
  PREFERENCE_ACKNOWLEDGED("preference acknowledged"),
  FINDING_CERTAIN("finding certain"),
  FINDING_EXPLICIT("finding explicit"),
  FINDING_FACT("finding fact"),
  EVIDENCE("evidence"),
  HEDGE("hedge"),
  HYPOTHETICAL("hypothetical"),
  UNDECIDED("undecided"),
  ANNOUNCEMENT("announcement"),
  STATUS("status"),
  ADVICE("advice"),
  GENERAL("general"),
  REPORTED("reported"),
  TEMPORARY("temporary"),
  MOOD("mood"),
  /// In the sentence before a list.
  HEAD_SETTLED("head settled"),
  /// In the sentence before a list.
  HEAD_OPEN("head open");

  private static final CueMatcher MATCHER =
      new CueMatcher(
          Lexicon.beside(CueGroup.class, "cues.txt"),
          Arrays.stream(values()).map(CueGroup::section).toList());

  private final String section;

  CueGroup(String section) {
    this.section = section;
  }

  String section() {
    return section;
  }

  /// Its place among the groups.
  // Not stored.
  @SuppressWarnings("EnumOrdinal")
  int index() {
    return ordinal();
  }

  /// The number of wordings of each group in a sentence.
  static CueCounts count(List<WordToken> tokens, List<ClauseShape> clauses) {
    return new CueCounts(MATCHER.count(tokens, Clauses.starts(tokens, clauses)));
  }
}
