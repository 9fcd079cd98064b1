package dev.agentmemory.wire;

import dev.agentmemory.api.search.Coverage;
import dev.agentmemory.proto.SearchCoverage;
import dev.agentmemory.proto.SearchExclusion;

/// Maps what a search has looked through.
final class CoverageMessages {

  private CoverageMessages() {}

  static SearchCoverage toWire(Coverage coverage) {
    return SearchCoverage.newBuilder()
        .setSearched(coverage.searched())
        .setPassing(coverage.passing())
        .setMatching(coverage.matching())
        .addAllExcluded(coverage.excluded().stream().map(CoverageMessages::toWire).toList())
        .setIrrelevant(coverage.irrelevant())
        .build();
  }

  private static SearchExclusion toWire(Coverage.Excluded excluded) {
    return SearchExclusion.newBuilder()
        .setCondition(WireEnums.CONDITION.toWire(excluded.condition()))
        .setDocuments(excluded.documents())
        .build();
  }

  /// Conditions of a newer daemon are left out.
  static Coverage fromWire(SearchCoverage message) {
    return new Coverage(
        message.getSearched(),
        message.getPassing(),
        message.getMatching(),
        message.getExcludedList().stream()
            .flatMap(one ->
                WireEnums.CONDITION.known(one.getCondition()).stream()
                    .map(condition -> new Coverage.Excluded(condition, one.getDocuments())))
            .toList(),
        message.getIrrelevant());
  }
}
