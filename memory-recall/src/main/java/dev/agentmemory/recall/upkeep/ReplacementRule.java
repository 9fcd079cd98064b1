package dev.agentmemory.recall.upkeep;

import dev.agentmemory.recall.truth.Contradiction;
import dev.agentmemory.recall.truth.StatedText;
import dev.agentmemory.recall.truth.StatementRelation;
import java.util.OptionalDouble;

/// Decides whether a later statement replaces an earlier one.
public interface ReplacementRule {

  /// The rules of [Contradiction].
  ReplacementRule BY_RULES =
      (earlier, later, cosine) ->
          Contradiction.between(earlier, later, cosine) == StatementRelation.SUPERSEDES;

  /// @param cosine of their vectors; empty where one is missing
  boolean replaces(StatedText earlier, StatedText later, OptionalDouble cosine);
}
