package dev.agentmemory.api;

import java.util.Optional;

/// State of the search index of a store.
///
/// @param behind outbox entries that are not in it yet
/// @param events how many events a search can find
/// @param summaries how many nodes of the table of contents a search can find
/// @param vectors how many events have a vector
/// @param toEmbed how many events still wait for a vector; 0 without a model
/// @param model whose vectors they are; empty when none is configured
/// @param bytes size of its files
/// @param rebuilt progress of a running rebuild, 0 to 1; empty if none runs
/// @param complete whether it covers the whole log
/// @param waitsFor why nothing is embedded now: the model's last error; empty if nothing prevents
///   it
public record SearchReport(
    long behind,
    long events,
    long summaries,
    long vectors,
    long toEmbed,
    Optional<String> model,
    long bytes,
    Optional<Double> rebuilt,
    boolean complete,
    Optional<String> waitsFor) {

  /// The same with the reason why nothing is embedded now.
  public SearchReport waitingFor(String why) {
    return new SearchReport(
        behind,
        events,
        summaries,
        vectors,
        toEmbed,
        model,
        bytes,
        rebuilt,
        complete,
        Optional.of(why));
  }
}
