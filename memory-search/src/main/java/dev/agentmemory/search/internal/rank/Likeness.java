package dev.agentmemory.search.internal.rank;

import dev.agentmemory.text.StatementIdentity;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.apache.lucene.util.VectorUtil;

/// What tells how much two texts say the same.
///
/// @param vector of length 1; empty when the text has none
/// @param terms of the text
/// @param statement what the whole text states; empty without words
public record Likeness(
    Optional<float[]> vector, Set<String> terms, Optional<StatementIdentity> statement) {

  /// Cosine where both have a vector, else the share of their terms that both have. -1 to 1.
  public double to(Likeness other) {
    if (vector.isPresent() && other.vector.isPresent()) {
      return VectorUtil.dotProduct(vector.get(), other.vector.get());
    }
    Set<String> both = new HashSet<>(terms);
    both.retainAll(other.terms);
    int either = terms.size() + other.terms.size() - both.size();
    return either == 0 ? 0 : (double) both.size() / either;
  }

  public boolean isSame(Likeness other) {
    return statement.isPresent() && statement.equals(other.statement);
  }
}
