package dev.agentmemory.client;

import java.util.Objects;
import java.util.Set;

/// What to look for in nodes.
///
/// @param text words, in any order
/// @param fields empty is all
/// @param limit 0 is the daemon's default
/// @param tokenBudget 0 is none
public record NodeQuery(String text, Set<Match.Field> fields, int limit, int tokenBudget) {

  public NodeQuery {
    Objects.requireNonNull(text, "text");
    fields = Set.copyOf(fields);
  }

  public static NodeQuery of(String text) {
    return new NodeQuery(text, Set.of(), 0, 0);
  }
}
