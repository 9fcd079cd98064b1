package dev.agentmemory.toc;

import java.util.List;

/// The nodes that a query found.
public record FoundNodes(List<FoundNode> nodes, boolean more) {}
