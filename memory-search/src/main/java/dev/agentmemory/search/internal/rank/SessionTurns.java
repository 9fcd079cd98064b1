package dev.agentmemory.search.internal.rank;

import java.util.List;

/// A session in which something was found.
///
/// @param turns those near the hits, by time
/// @param spoken what was said in all of it
record SessionTurns(List<CandidateTurn> turns, SpokenWords spoken) {}
