package dev.agentmemory.engine.internal.recall;

import dev.agentmemory.api.recall.MemoryAnswer;
import dev.agentmemory.api.recall.MemoryFilter;
import dev.agentmemory.api.recall.MemoryHit;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.MemorySearch;
import dev.agentmemory.api.recall.TagFilter;
import dev.agentmemory.api.search.Parts;
import dev.agentmemory.api.search.SearchMode;
import dev.agentmemory.recall.memory.CuratedMemories;
import dev.agentmemory.search.memory.FoundMemory;
import dev.agentmemory.search.memory.MemoryMatches;
import dev.agentmemory.search.memory.MemoryQuestion;
import dev.agentmemory.search.memory.MemorySource;
import dev.agentmemory.types.MemoryId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/// Lets a search of everything find memories, under the ids that lists show.
record SearchedMemories(Supplier<CuratedMemories> memories) implements MemorySource {

  @Override
  public MemoryMatches find(MemoryQuestion question) {
    MemoryFilter.Builder filter =
        MemoryFilter.builder()
            .sources(question.source().map(Set::of).orElse(Set.of()))
            .tags(new TagFilter(question.tags(), /* all= */ true, Set.of()));
    question.session().ifPresent(filter::session);
    question.after().ifPresent(filter::after);
    question.before().ifPresent(filter::before);
    var viewer = new MemorySearch.Viewer(question.session(), Optional.empty());
    MemorySearch search =
        MemorySearch.of(question.query())
            .withFilter(filter.build())
            .withViewer(viewer)
            .withLimit(Math.min(question.limit(), MemorySearch.MAX_LIMIT))
            .explained();
    boolean byWords = question.mode() == SearchMode.LEXICAL;
    CuratedMemories all = memories.get();
    MemoryAnswer answer = byWords ? all.searchByWords(search) : all.search(search);
    List<MemoryHit> hits = answer.hits();
    return new MemoryMatches(
        IntStream.range(0, hits.size()).mapToObj(i -> found(hits.get(i), i + 1)).toList(),
        byWords || answer.textOnly(),
        answer.skipped());
  }

  /// @param rank 1 and up
  private static FoundMemory found(MemoryHit hit, int rank) {
    MemoryRecord memory = hit.memory();
    MemoryHit.Why why = hit.why();
    return new FoundMemory(
        memory.id(),
        memory.content().text(),
        memory.kind(),
        memory.tags(),
        memory.place().session(),
        memory.validity().created(),
        Math.clamp(why.match(), 0, 1),
        new Parts(
            OptionalInt.of(rank),
            OptionalInt.empty(),
            why.match(),
            0,
            0,
            why.decay(),
            Map.of(
                "importance",
                why.importance(),
                "frequency",
                why.frequency(),
                "recency",
                why.recency())));
  }

  @Override
  public void accessed(List<MemoryId> shown) {
    memories.get().countAccess(shown);
  }
}
