package dev.agentmemory.search;

import dev.agentmemory.api.search.Filters;
import dev.agentmemory.api.search.HitKind;
import dev.agentmemory.api.search.SearchRequest;
import dev.agentmemory.search.internal.query.ReadQuery;
import dev.agentmemory.search.internal.rank.Relevance;
import dev.agentmemory.search.internal.text.Analysis;
import dev.agentmemory.search.memory.FoundMemory;
import dev.agentmemory.search.memory.MemoryMatches;
import dev.agentmemory.types.MemoryException;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The memories for a context: those that a source finds and that answer the question as likely as
/// not. A source orders what it has; so the best of it may have nothing to do with the question.
record ContextMemories(Searcher searcher, Analysis analysis) {

  private static final Logger LOG = LoggerFactory.getLogger(ContextMemories.class);

  /// Most memories that are looked at.
  private static final int MOST = 20;

  /// Of [Relevance]: as likely as not.
  private static final double LEAST = 0.5;

  /// The best first. None where only events, or only summaries, are asked for. A context without
  /// memories is better than none, so a source that cannot be read has none.
  ///
  /// @param filters of the request and of its text together
  MemoryMatches find(SearchRequest request, ReadQuery read, Filters filters) {
    if (!isAskedFor(filters)) {
      return MemoryMatches.NONE;
    }
    Set<String> asked = new HashSet<>(analysis.queryTerms(read.text()));
    // Patterns and tags match or do not; words match more or less.
    boolean exact = asked.isEmpty() && !(read.prefixes().isEmpty() && filters.tags().isEmpty());
    boolean all = exact || filters.kinds().contains(HitKind.MEMORY);
    try {
      MemoryMatches matches = searcher.memories(request, read, filters, MOST);
      return new MemoryMatches(
          matches.memories().stream()
              .filter(memory -> memory.relevance() >= request.threshold().hit())
              .filter(memory -> all || answers(memory, asked))
              .toList(),
          matches.textOnly(),
          matches.skipped());
    } catch (MemoryException e) {
      LOG.warn("the context has no memories: {}", e.getMessage());
      return MemoryMatches.NONE;
    }
  }

  /// Whether a question may be answered by memories: an agent is the sender of events unless
  /// memories are named.
  private static boolean isAskedFor(Filters filters) {
    return filters.kinds().contains(HitKind.MEMORY)
        || (filters.kinds().isEmpty() && filters.agent().isEmpty());
  }

  private boolean answers(FoundMemory memory, Set<String> asked) {
    if (asked.isEmpty()) {
      return false;
    }
    Set<String> there = new HashSet<>(asked);
    there.retainAll(Analysis.terms(analysis.words(), memory.text()));
    double cover = (double) there.size() / asked.size();
    double cosine = memory.parts().semantic();
    // Without a vector the cosine is 0.
    return Relevance.of(cosine == 0 ? Double.NaN : cosine, cover) >= LEAST;
  }
}
