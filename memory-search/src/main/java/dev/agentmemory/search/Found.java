package dev.agentmemory.search;

import dev.agentmemory.api.search.Kind;
import dev.agentmemory.api.search.Parts;
import dev.agentmemory.api.search.Said;

/// A result of a search, of which only the document was read.
///
/// @param uid of the event or node, in the caller's form
/// @param time in epoch ms
record Found(
    String uid, Kind kind, long time, double score, double relevance, Parts parts, Said said) {}
