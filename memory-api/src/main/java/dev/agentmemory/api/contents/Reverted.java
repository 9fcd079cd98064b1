package dev.agentmemory.api.contents;

import dev.agentmemory.types.TocNode;

/// What a revert did.
///
/// @param node its latest version now
/// @param changed false when it said the same already; nothing was written then
public record Reverted(TocNode node, boolean changed) {}
