package dev.agentmemory.search;

import dev.agentmemory.api.recall.Tag;
import dev.agentmemory.api.search.Filters;
import dev.agentmemory.api.search.Hit;
import dev.agentmemory.api.search.HitKind;
import dev.agentmemory.api.search.Parts;
import dev.agentmemory.api.search.Said;
import dev.agentmemory.api.search.SearchRequest;
import dev.agentmemory.search.internal.query.Question;
import dev.agentmemory.search.internal.query.ReadQuery;
import dev.agentmemory.search.internal.text.Snippets;
import dev.agentmemory.search.memory.FoundMemory;
import dev.agentmemory.search.memory.MemoryMatches;
import dev.agentmemory.search.memory.MemoryQuestion;
import dev.agentmemory.search.memory.MemorySource;
import dev.agentmemory.types.MemoryException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Finds curated memories for a search.
record MemoryHits(MemorySource source) {

  /// The best first.
  MemoryMatches find(Question question) {
    return find(question.request(), question.read(), question.filters(), SearchRequest.MAX_REACH);
  }

  /// @param filters of the request and of its text together
  MemoryMatches find(SearchRequest request, ReadQuery read, Filters filters, int limit) {
    Optional<Set<Tag>> tags = tags(filters);
    // A memory has no role and no level.
    if (tags.isEmpty() || filters.role().isPresent() || filters.level().isPresent()) {
      return MemoryMatches.NONE;
    }
    String query = read.typed();
    MemoryMatches matches =
        source.find(
            new MemoryQuestion(
                query.substring(0, Math.min(SearchRequest.MAX_QUERY, query.length())),
                request.mode(),
                filters.session(),
                filters.agent(),
                tags.get(),
                filters.after(),
                filters.before(),
                limit,
                request.now()));
    return filters.notSession().map(matches::without).orElse(matches);
  }

  /// The tags of a filter.
  ///
  /// @return empty when one of them cannot be a tag of a memory
  private static Optional<Set<Tag>> tags(Filters filters) {
    Set<Tag> tags = new HashSet<>();
    for (String name : filters.tags()) {
      try {
        tags.add(Tag.parse("filters.tags", name));
      } catch (MemoryException e) {
        return Optional.empty();
      }
    }
    return Optional.of(tags);
  }

  static Hit hit(FoundMemory memory, Parts parts, Snippets snippets) {
    return new Hit(
        HitKind.MEMORY,
        Optional.empty(),
        Optional.empty(),
        Optional.of(memory.id()),
        memory.time(),
        Optional.empty(),
        Optional.empty(),
        Optional.of(title(memory)),
        memory.session(),
        memory.relevance(),
        memory.relevance(),
        parts,
        snippets.of(memory.text()),
        List.of(),
        List.of(),
        Said.once(memory.time()));
  }

  static String kind(FoundMemory memory) {
    return memory.kind().name().toLowerCase(Locale.ROOT);
  }

  private static String title(FoundMemory memory) {
    String tags = memory.tags().stream().sorted().map(Tag::value).collect(Collectors.joining(", "));
    return tags.isEmpty() ? kind(memory) : kind(memory) + " (" + tags + ')';
  }
}
