package dev.agentmemory.recall.memory;

import dev.agentmemory.api.recall.MemoryAnswer;
import dev.agentmemory.api.recall.MemoryHit;
import dev.agentmemory.api.recall.MemorySearch;
import dev.agentmemory.api.standing.MemoryStanding;
import dev.agentmemory.recall.RecallConfig;
import dev.agentmemory.recall.SessionChannels;
import dev.agentmemory.recall.internal.rank.MemoryRelevance;
import dev.agentmemory.recall.internal.rank.SameStatement;
import dev.agentmemory.recall.internal.table.MemoryEntry;
import dev.agentmemory.recall.memory.ReferenceWalk.StoredId;
import dev.agentmemory.types.SessionId;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.SequencedMap;
import java.util.function.Function;
import java.util.function.Predicate;

/// Searches the memories of a workspace and of the account.
///
/// Each collection is searched by words and, where there are vectors, by meaning; the ranks become
/// a match, and relevance orders the memories of all collections. Contents are read only of what is
/// shown.
final class MemorySearcher {

  private final InstantSource clock;
  private final RecallConfig config;
  private final SessionChannels channels;
  private final ReadCollections collections;

  MemorySearcher(
      InstantSource clock,
      RecallConfig config,
      SessionChannels channels,
      ReadCollections collections) {
    this.clock = clock;
    this.config = config;
    this.channels = channels;
    this.collections = collections;
  }

  /// @param byWordsOnly whether no vector takes part in the match
  MemoryAnswer search(MemorySearch search, boolean byWordsOnly) {
    Instant now = clock.instant();
    Instant time = search.asOf().orElse(now);
    Function<MemoryCollection, Predicate<MemoryEntry>> filters = filters(search);
    Map<MemoryCollection, CollectionSearch> searches = new HashMap<>();
    List<FoundEntry> found = new ArrayList<>();
    for (MemoryCollection memories : collections.all()) {
      var one =
          new CollectionSearch(memories, search, filters.apply(memories), time, config.rrfK());
      searches.put(memories, byWordsOnly ? one.byWordsOnly() : one);
      found.addAll(one.run());
    }
    var list = new HitList(search.limit(), new SameStatement(config.dedupCosine()));
    show(search, matching(search, found), searches, list);
    List<MemoryHit> hits = list.hits(one -> searchOf(searches, one), collections.workspaces());
    if (!search.explain()) {
      list.ids().forEach((memories, shown) -> memories.count(shown, now));
    }
    boolean vectors = searches.values().stream().anyMatch(CollectionSearch::usesVectors);
    return new MemoryAnswer(hits, !search.query().isBlank() && !vectors, skipped());
  }

  /// Where memories stand. What cannot be read is left out. Does not count as access.
  ///
  /// @param asOf when; empty: now
  List<MemoryStanding> standings(List<StoredId> memories, Optional<Instant> asOf) {
    Instant time = asOf.orElseGet(clock::instant);
    MemorySearch all = asOf.map(MemorySearch.of("")::withAsOf).orElseGet(() -> MemorySearch.of(""));
    Map<MemoryCollection, CollectionSearch> searches = new HashMap<>();
    Map<MemoryCollection, MemoryRelevance> formulas = new HashMap<>();
    List<MemoryStanding> standings = new ArrayList<>();
    for (StoredId one : memories) {
      MemoryCollection collection = one.memories();
      CollectionSearch search =
          searches.computeIfAbsent(
              collection,
              _ -> new CollectionSearch(collection, all, _ -> true, time, config.rrfK()));
      MemoryRelevance formula =
          formulas.computeIfAbsent(collection, _ -> collection.relevance(time));
      one.entry()
          .flatMap(entry ->
              collection
                  .read(entry)
                  .map(memory ->
                      new MemoryStanding(
                          collections.workspaces().shown(collection, memory),
                          formula.why(entry, 1),
                          formula.decay(entry),
                          search.replaced(entry).stream()
                              .map(id -> collections.workspaces().shown(collection, id))
                              .toList())))
          .ifPresent(standings::add);
    }
    return standings;
  }

  /// How many memories cannot be read.
  long skipped() {
    return collections.all().stream().mapToLong(MemoryCollection::unreadable).sum();
  }

  /// What is allowed of each collection.
  private Function<MemoryCollection, Predicate<MemoryEntry>> filters(MemorySearch search) {
    EntryFilter all = EntryFilter.of(search.filter(), collections);
    CuratedMemories.WorkspaceCollections workspaces = collections.workspaces();
    return memories -> {
      Function<SessionId, Optional<SessionId>> names =
          session -> workspaces.session(memories, session);
      MemorySearch.Viewer viewer = search.viewer();
      var own = new MemorySearch.Viewer(viewer.session().flatMap(names), viewer.channel());
      return ViewedScopes.of(own, workspaces.channels(memories, channels))
          .and(all.in(memories, names));
    };
  }

  /// What a search finds by words alone, the first to show at the head. Reads no contents, counts
  /// no access and asks no model.
  Queue<FoundEntry> ranked(MemorySearch search) {
    Instant time = search.asOf().orElseGet(clock::instant);
    Function<MemoryCollection, Predicate<MemoryEntry>> filters = filters(search);
    List<FoundEntry> found = new ArrayList<>();
    for (MemoryCollection memories : collections.all()) {
      var one =
          new CollectionSearch(memories, search, filters.apply(memories), time, config.rrfK());
      found.addAll(one.byWordsOnly().run());
    }
    Queue<FoundEntry> order =
        new PriorityQueue<>(Math.max(1, found.size()), FoundEntry.by(search.order()));
    order.addAll(found);
    return order;
  }

  /// A selection of memories for one document.
  MemorySelection selection() {
    return new MemorySelection(this, new SameStatement(config.dedupCosine()));
  }

  private static CollectionSearch searchOf(
      Map<MemoryCollection, CollectionSearch> searches, FoundEntry found) {
    return Optional.ofNullable(searches.get(found.memories())).orElseThrow();
  }

  /// Adds memories in their order. Behind the last one that is shown the order does not matter, so
  /// the rest is not sorted.
  private static void show(
      MemorySearch search,
      List<FoundEntry> found,
      Map<MemoryCollection, CollectionSearch> searches,
      HitList list) {
    Comparator<FoundEntry> order = FoundEntry.by(search.order());
    if (search.filter().superseded()) {
      currentFirst(found.stream().sorted(order).toList(), searches).forEach(list::add);
      return;
    }
    var next = new PriorityQueue<>(Math.max(1, found.size()), order);
    next.addAll(found);
    while (!next.isEmpty() && !list.isFull()) {
      list.add(next.remove());
    }
    next.forEach(list::add);
  }

  /// What an order by time or importance begins with. It has to be decided first what matches at
  /// all, because every vector is near to every other one to some degree: words decide it, and
  /// where they find nothing the best matches are taken.
  private static List<FoundEntry> matching(MemorySearch search, List<FoundEntry> found) {
    if (search.order() == MemorySearch.Order.RELEVANCE || search.query().isBlank()) {
      return found;
    }
    List<FoundEntry> byWords = found.stream().filter(FoundEntry::byWords).toList();
    return byWords.isEmpty()
        ? found.stream().sorted(FoundEntry.BEST_MATCH_FIRST).limit(search.limit()).toList()
        : byWords;
  }

  /// Moves current memories before the first of those that they replaced.
  private static List<FoundEntry> currentFirst(
      List<FoundEntry> order, Map<MemoryCollection, CollectionSearch> searches) {
    Map<StoredId, FoundEntry> byId = new HashMap<>();
    order.forEach(one -> byId.put(one.id(), one));
    SequencedMap<StoredId, FoundEntry> moved = new LinkedHashMap<>();
    for (FoundEntry one : order) {
      if (one.replaced()) {
        searchOf(searches, one)
            .current(one.entry())
            .map(head -> new StoredId(one.memories(), head))
            .flatMap(head -> Optional.ofNullable(byId.get(head)))
            .ifPresent(head -> moved.putIfAbsent(head.id(), head));
      }
      moved.putIfAbsent(one.id(), one);
    }
    return List.copyOf(moved.values());
  }
}
