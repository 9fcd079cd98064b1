package dev.agentmemory.toc;

import dev.agentmemory.types.NodeId;
import java.util.List;

/// A node that a query found.
public record FoundNode(NodeId id, String title, List<NodeMatch> matches, double relevance) {}
