package dev.agentmemory.api.search;

import java.util.Map;
import java.util.OptionalInt;

/// What a hit's score is made of.
///
/// @param lexicalRank its place among the hits by words, 1 and up; empty when it is not among them
/// @param semanticRank its place among the hits by meaning
/// @param lexical BM25 of its own words
/// @param semantic cosine with the query, -1 to 1; 0 without a vector
/// @param time how well it fits the time that the query names, 0 to 1; 0 when it names none
/// @param decay what time has left of its weight, 0 to 1; events and summaries do not fade: 1
/// @param features every part of the score by name, in units of the score; empty unless asked for
public record Parts(
    OptionalInt lexicalRank,
    OptionalInt semanticRank,
    double lexical,
    double semantic,
    double time,
    double decay,
    Map<String, Double> features) {

  public Parts {
    features = Map.copyOf(features);
  }

  /// The same without the features.
  public Parts withoutFeatures() {
    return new Parts(lexicalRank, semanticRank, lexical, semantic, time, decay, Map.of());
  }
}
