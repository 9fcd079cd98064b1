package dev.agentmemory.recall.truth;

import dev.agentmemory.recall.internal.grammar.WordToken;

/// A word of a statement that has a meaning of its own.
///
/// @param stem one text for all forms of the word
/// @param at the index of its token
/// @param subject whether it stands before the verb
record ContentWord(String stem, int at, boolean subject, WordToken token) {}
