package dev.agentmemory.search;

import java.util.Objects;
import java.util.Optional;

/// How an index is.
///
/// @param cursor sequence of the last outbox entry that a search can find
/// @param events how many events it holds
/// @param summaries how many nodes of the table of contents it holds
/// @param vectors how many events have a vector
/// @param model whose vectors they are; empty without an embedder
/// @param bytes size of its files
/// @param rebuilt how much of a rebuild that runs is done, 0 to 1; empty when none runs
public record SearchStatus(
    long cursor,
    long events,
    long summaries,
    long vectors,
    Optional<String> model,
    long bytes,
    Optional<Double> rebuilt) {

  public SearchStatus {
    Objects.requireNonNull(model, "model");
    Objects.requireNonNull(rebuilt, "rebuilt");
  }
}
