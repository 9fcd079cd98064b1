package dev.agentmemory.toc;

import java.util.Set;

/// What to look for in nodes.
///
/// @param fields empty is all
/// @param tokenBudget 0 is none
public record NodeQuery(String text, Set<NodeField> fields, int limit, int tokenBudget) {}
