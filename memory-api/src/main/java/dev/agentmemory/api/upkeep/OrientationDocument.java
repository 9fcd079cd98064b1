package dev.agentmemory.api.upkeep;

import java.util.List;

/// What an agent has to know when it begins, as Markdown. Equal states give equal bytes.
///
/// @param tokens of the Markdown; at most the budget
/// @param citations what its lines cite, in order: ids of memories, nodes and grips
/// @param refined whether a model has revised the selection
/// @param skipped how many memories were left out because their checksum does not match
public record OrientationDocument(
    String markdown, int tokens, List<String> citations, boolean refined, long skipped) {

  public OrientationDocument {
    citations = List.copyOf(citations);
  }
}
