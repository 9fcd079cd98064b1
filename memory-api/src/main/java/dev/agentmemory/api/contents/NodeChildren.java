package dev.agentmemory.api.contents;

import dev.agentmemory.api.page.Page;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.TocNode;

/// Children of a node, in the order of their time.
///
/// @param children its token is for [Contents#children] of the parent
public record NodeChildren(NodeId parent, Page<TocNode> children) {}
