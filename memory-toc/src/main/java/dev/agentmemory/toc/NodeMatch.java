package dev.agentmemory.toc;

import dev.agentmemory.types.GripId;
import java.util.List;

/// A piece of a node that holds words of a query.
public record NodeMatch(NodeField field, String text, List<GripId> grips, double score) {}
