package dev.agentmemory.recall.extract;

import dev.agentmemory.api.recall.MemoryKind;

/// A sentence, or a part of one, with the kind that it most likely has.
///
/// @param probability that it is a statement of this kind
record Candidate(TurnSentence sentence, MemoryKind kind, double probability) {}
