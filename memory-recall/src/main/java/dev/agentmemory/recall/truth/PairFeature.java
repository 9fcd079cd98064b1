package dev.agentmemory.recall.truth;

/// What is true of a pair of an older and a newer statement.
enum PairFeature {
  /// The newer one says that something changed.
  REVERSAL,
  /// It says so several times.
  REVERSAL_AGAIN,
  /// It says so and they share a word.
  REVERSAL_OF_SHARED,
  ADDITION,
  EXCEPTION_NEW,
  EXCEPTION_OLD,
  NOTHING_SHARED,
  ONE_WORD_SHARED,
  /// The share of the older one's words that the newer one has, too.
  OLD_COVERED,
  NEW_COVERED,
  /// All words of the older one are in the newer one, which has more.
  REFINEMENT,
  /// All words of the newer one are in the older one, which has more.
  SHORTER,
  SAME_WORDS,
  /// Either has a word before its verb that the other has nowhere.
  OTHER_SUBJECT,
  /// All words before the older one's verb are in the newer one.
  SUBJECT_KEPT,
  NEW_SUBJECT_KNOWN,
  OTHER_PERSON,
  OTHER_OWNER,
  OTHER_NAME_IN_SUBJECT,
  OTHER_CODE_IN_SUBJECT,
  /// Either has words of its own at one place only.
  ONE_DIFFERENCE,
  /// Either has words of its own at two places or more.
  SEVERAL_DIFFERENCES,
  NUMBER_CHANGED,
  /// A number changed and nothing else.
  ONLY_NUMBER_CHANGED,
  NAME_CHANGED,
  NEGATION_CHANGED,
  NEGATION_CHANGED_OF_SAME,
  BOTH_NEGATED,
  TASTE_REVERSED,
  OTHER_CASE,
  /// Another case before the verb, or behind a preposition at the beginning.
  OTHER_CASE_IN_SUBJECT,
  OTHER_KIND_OF_VALUE,
  SAME_KIND_OF_VALUE,
  OTHER_ATTRIBUTE,
  SAME_VERB,
  /// Either has a verb, and those are different words.
  OTHER_VERB,
  /// They share words, and all of them stand before the verb.
  ONLY_SUBJECT_SHARED,
  /// They share nothing but the subject: verb, prepositions, and kinds of values differ, too.
  OTHER_PREDICATE,
  /// They share subject and verb, and each has words of its own behind the verb at one place.
  SAME_PREDICATE,
  /// Both name a preposition, and none of them is the same.
  OTHER_PREPOSITION,
  SAME_PREPOSITION,
  /// One of them has a number of its own, the other one has none.
  NUMBER_OF_ONE,
  OTHER_KIND,
  BOTH_FINDINGS,
  BOTH_DECISIONS,
  BOTH_PREFERENCES,
  /// The newer one speaks of now.
  NOW;

  /// Its place among the features.
  // Not stored.
  @SuppressWarnings("EnumOrdinal")
  int index() {
    return ordinal();
  }
}
