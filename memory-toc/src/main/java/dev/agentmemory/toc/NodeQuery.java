package dev.agentmemory.toc;

import dev.agentmemory.types.MemoryException;
import java.util.Set;

/// A search inside nodes.
///
/// @param text words in any order
/// @param fields where to look; empty means everywhere
/// @param limit at most that many matches, or nodes, 1 and up
/// @param tokenBudget tokens of all texts of the answer together; 0 for no bound
public record NodeQuery(String text, Set<NodeField> fields, int limit, int tokenBudget) {

  public NodeQuery {
    if (text.isBlank()) {
      throw MemoryException.invalid("query", "is empty; send at least one word");
    }
    fields = fields.isEmpty() ? Set.of(NodeField.values()) : Set.copyOf(fields);
    if (limit < 1 || tokenBudget < 0) {
      throw new IllegalArgumentException("limit " + limit + ", token budget " + tokenBudget);
    }
  }
}
