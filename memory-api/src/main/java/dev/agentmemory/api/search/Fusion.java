package dev.agentmemory.api.search;

/// How what words found and what meaning found become one order.
public enum Fusion {
  /// The sum of many standardised features by weight: what orders best.
  WEIGHTED,
  /// Reciprocal rank fusion: the sum of 1 / (60 + rank) over the places among the hits by words and
  /// by meaning. After Cormack, Clarke and Buettcher, "Reciprocal rank fusion outperforms Condorcet
  /// and individual rank learning methods", SIGIR 2009.
  RECIPROCAL_RANK
}
