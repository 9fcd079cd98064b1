package dev.agentmemory.search;

import dev.agentmemory.api.search.Kind;
import dev.agentmemory.api.search.Parts;
import dev.agentmemory.api.search.Said;

/// Something found, before anything is read of it but its documents.
///
/// @param uid of the event or node, as the asker knows it
/// @param time in epoch ms
record Found(
    String uid, Kind kind, long time, double score, double relevance, Parts parts, Said said) {}
