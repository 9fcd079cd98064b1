package dev.agentmemory.toc;

import dev.agentmemory.types.NodeId;
import java.util.List;

/// What a query found in one node.
public record NodeMatches(NodeId node, List<NodeMatch> matches) {}
