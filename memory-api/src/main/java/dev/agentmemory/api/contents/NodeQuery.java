package dev.agentmemory.api.contents;

import dev.agentmemory.api.text.TextLimit;
import dev.agentmemory.types.MemoryException;
import java.util.Set;

/// A search inside nodes.
///
/// @param text words in any order, at most [TextLimit#DEFAULT] characters
/// @param fields where to look; empty means everywhere
/// @param limit at most that many matches, or nodes, 1 to [#MOST]
/// @param tokenBudget tokens of all texts of the answer together; 0 for no bound
public record NodeQuery(String text, Set<NodeField> fields, int limit, int tokenBudget) {

  /// The most matches, or nodes, of one answer.
  public static final int MOST = 1000;

  /// Matches, or nodes, of an answer where nothing is said.
  public static final int BY_DEFAULT = 10;

  public NodeQuery {
    if (text.isBlank()) {
      throw MemoryException.invalid("query", "is empty; it is required");
    }
    TextLimit.DEFAULT.check("query", text);
    fields = fields.isEmpty() ? Set.of(NodeField.values()) : Set.copyOf(fields);
    if (limit < 1 || limit > MOST) {
      throw MemoryException.invalid("limit", "is " + limit + "; expected 1 to " + MOST);
    }
    if (tokenBudget < 0) {
      throw MemoryException.invalid("token_budget", "is " + tokenBudget + "; expected 0 or more");
    }
  }

  /// Looks everywhere, for as many matches as are the default, without a bound of tokens.
  public static NodeQuery of(String text) {
    return new NodeQuery(text, Set.of(), BY_DEFAULT, 0);
  }

  public NodeQuery withFields(Set<NodeField> changed) {
    return new NodeQuery(text, changed, limit, tokenBudget);
  }

  public NodeQuery withLimit(int changed) {
    return new NodeQuery(text, fields, changed, tokenBudget);
  }
}
