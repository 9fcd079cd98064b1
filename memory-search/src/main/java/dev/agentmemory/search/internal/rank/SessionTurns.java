package dev.agentmemory.search.internal.rank;

import java.util.List;

/// A session in which something was found.
///
/// @param turns those near the hits, by time
/// @param spoken what people and agents said among the first turns of it
record SessionTurns(List<CandidateTurn> turns, SpokenWords spoken) {}
