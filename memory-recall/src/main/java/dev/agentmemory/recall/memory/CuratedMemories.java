package dev.agentmemory.recall.memory;

import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.api.recall.Deletion;
import dev.agentmemory.api.recall.DeletionReport;
import dev.agentmemory.api.recall.Memories;
import dev.agentmemory.api.recall.MemoryAnswer;
import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.api.recall.MemoryFilter;
import dev.agentmemory.api.recall.MemoryPage;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.MemoryScope;
import dev.agentmemory.api.recall.MemorySearch;
import dev.agentmemory.api.recall.MemoryState;
import dev.agentmemory.api.recall.MemoryUpdate;
import dev.agentmemory.api.recall.RelatedMemory;
import dev.agentmemory.api.standing.MemoryStanding;
import dev.agentmemory.api.standing.Standings;
import dev.agentmemory.recall.RecallServices;
import dev.agentmemory.recall.SessionChannels;
import dev.agentmemory.recall.memory.ReferenceWalk.StoredId;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.SessionId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The memories of a workspace and those of the account behind them.
public final class CuratedMemories implements Memories, Standings {

  /// The memories of the workspace or workspaces that a caller reads and writes.
  public interface WorkspaceCollections {

    /// What is read.
    List<MemoryCollection> all();

    /// What is written.
    ///
    /// @throws dev.agentmemory.types.MemoryException `INVALID_FIELD` when the caller names none of
    ///   several workspaces
    MemoryCollection written();

    /// A session of a request, as the memories of a collection name it.
    ///
    /// @return empty when it is of another workspace
    default Optional<SessionId> session(MemoryCollection memories, SessionId asked) {
      return Optional.of(asked);
    }

    /// A memory's id of a request, as the collection has it.
    ///
    /// @return empty when it names another workspace
    default Optional<MemoryId> id(MemoryCollection memories, MemoryId asked) {
      return Optional.of(asked);
    }

    /// The id under which answers show a memory of a collection.
    default MemoryId shown(MemoryCollection memories, MemoryId id) {
      return id;
    }

    /// A memory of a collection as answers show it.
    default MemoryRecord shown(MemoryCollection memories, MemoryRecord memory) {
      return memory;
    }

    /// The channels of the sessions that the memories of a collection name.
    ///
    /// @param ofCaller those of the sessions that a request names
    default SessionChannels channels(MemoryCollection memories, SessionChannels ofCaller) {
      return ofCaller;
    }

    /// One workspace.
    static WorkspaceCollections of(MemoryCollection workspace) {
      return new WorkspaceCollections() {
        @Override
        public List<MemoryCollection> all() {
          return List.of(workspace);
        }

        @Override
        public MemoryCollection written() {
          return workspace;
        }
      };
    }
  }

  private final RecallServices services;
  private final SessionChannels channels;
  private final WorkspaceCollections workspaces;
  private final AccountMemories account;

  /// @param account empty when there is none
  public CuratedMemories(
      RecallServices services,
      SessionChannels channels,
      MemoryCollection workspace,
      Optional<MemoryCollection> account) {
    this(services, channels, WorkspaceCollections.of(workspace), AccountMemories.of(account));
  }

  public CuratedMemories(
      RecallServices services,
      SessionChannels channels,
      WorkspaceCollections workspaces,
      AccountMemories account) {
    this.services = services;
    this.channels = channels;
    this.workspaces = workspaces;
    this.account = account;
  }

  private MemorySearcher searcher() {
    return new MemorySearcher(services.system().clock(), services.config(), channels, read());
  }

  private ReadCollections read() {
    return new ReadCollections(
        workspaces, Stream.concat(workspaces.all().stream(), account.existing().stream()).toList());
  }

  /// Memories of the account cannot be stored in one call with others: they are in a store of their
  /// own, so the two could not be all or nothing.
  @Override
  public List<MemoryRecord> remember(List<MemoryDraft> drafts) {
    boolean ofAccount = !drafts.isEmpty() && isOfAccount(drafts.getFirst());
    for (int i = 1; i < drafts.size(); i++) {
      if (isOfAccount(drafts.get(i)) != ofAccount) {
        throw MemoryException.invalid(
            DraftedMemory.field(i, "scope"),
            "is %s, that of the first is %s; send memories of scope account in a call of their own"
                .formatted(scope(drafts.get(i)), scope(drafts.getFirst())));
      }
    }
    return ofAccount
        ? account().add(drafts, _ -> false)
        : workspaces.written().add(drafts, this::isInAccount);
  }

  private static boolean isOfAccount(MemoryDraft draft) {
    return draft.place().scope() == MemoryScope.ACCOUNT;
  }

  private static String scope(MemoryDraft draft) {
    return draft.place().scope().name().toLowerCase(Locale.ROOT);
  }

  private MemoryCollection account() {
    return account
        .writable()
        .orElseThrow(() ->
            MemoryException.invalid(
                DraftedMemory.field(0, "scope"), "is account; there is no store of the account"));
  }

  private boolean isInAccount(MemoryId id) {
    return account.existing().map(memories -> memories.has(id)).orElse(false);
  }

  /// The memory that an id names: the one that answers show under it, else the only one of all
  /// workspaces with this id.
  private StoredId of(MemoryId id) {
    ReadCollections read = read();
    return read.shown(id).orElseGet(() -> only(id, read.named(id)));
  }

  private StoredId only(MemoryId id, List<StoredId> named) {
    return switch (named.size()) {
      case 0 -> throw MemoryCollection.missing(id);
      case 1 -> named.getFirst();
      default ->
          throw MemoryException.invalid(
              "memory_id",
              "is in several workspaces; send the id of one of them: "
                  + named.stream()
                      .map(one -> workspaces.shown(one.memories(), one.id()).value())
                      .collect(Collectors.joining(", ")));
    };
  }

  /// The collection of a memory that is to be changed.
  private MemoryCollection written(MemoryId id) {
    MemoryCollection memories = of(id).memories();
    return memories.isAccount() ? memories : workspaces.written();
  }

  private Predicate<MemoryId> elsewhere(MemoryCollection memories) {
    return memories.isAccount() ? _ -> false : this::isInAccount;
  }

  @Override
  public MemoryRecord get(MemoryId id) {
    StoredId stored = of(id);
    MemoryCollection memories = stored.memories();
    MemoryRecord memory = memories.get(stored.id());
    memories.count(List.of(memory.id()), services.system().now());
    return workspaces.shown(memories, memory);
  }

  @Override
  public MemoryRecord update(MemoryId id, MemoryUpdate update) {
    MemoryCollection memories = written(id);
    return memories.writer().update(id, update, elsewhere(memories));
  }

  @Override
  public MemoryState.History history(MemoryId id) {
    StoredId stored = readable(id);
    MemoryCollection memories = stored.memories();
    List<MemoryState> states = new ArrayList<>();
    var skipped = new LongAdder();
    memories
        .rows()
        .forEachState(
            stored.id(),
            (_, state) ->
                states.add(
                    new MemoryState(
                        workspaces.shown(memories, state.memory()), state.until(), state.reason())),
            skipped::increment);
    return new MemoryState.History(states.reversed(), skipped.sum());
  }

  /// A memory that can be read; that of a merged one is its survivor.
  private StoredId readable(MemoryId id) {
    StoredId stored = of(id);
    return new StoredId(stored.memories(), stored.memories().get(stored.id()).id());
  }

  @Override
  public MemoryPage list(MemoryFilter filter, PageRequest page) {
    return new MemoryLists(read()).list(filter, Optional.empty(), page);
  }

  @Override
  public MemoryPage list(MemoryFilter filter, Instant asOf, PageRequest page) {
    return new MemoryLists(read()).list(filter, Optional.of(asOf), page);
  }

  @Override
  public List<MemoryStanding> of(List<MemoryId> ids, Optional<Instant> asOf) {
    if (ids.size() > Standings.MOST) {
      throw MemoryException.invalid(
          "memory_ids", "has %d ids; expected at most %d".formatted(ids.size(), Standings.MOST));
    }
    ReadCollections read = read();
    List<StoredId> memories =
        ids.stream().flatMap(id -> surviving(read, id).stream()).distinct().toList();
    return searcher().standings(memories, asOf);
  }

  /// The memory that an id names, or that it was merged into.
  private static Optional<StoredId> surviving(ReadCollections read, MemoryId id) {
    return read.shown(id).or(() -> read.named(id).stream().findFirst());
  }

  @Override
  public MemoryAnswer search(MemorySearch search) {
    return searcher().search(search, /* byWordsOnly= */ false);
  }

  /// The same by words alone: no vector takes part in the match, and no model is asked.
  public MemoryAnswer searchByWords(MemorySearch search) {
    return searcher().search(search, /* byWordsOnly= */ true);
  }

  /// Begins a selection of memories for one document.
  public MemorySelection selection() {
    return searcher().selection();
  }

  @Override
  public RelatedMemory.Answer related(MemoryId id, int depth) {
    if (depth < 1 || depth > MemoryFilter.Neighbourhood.MAX_DEPTH) {
      throw MemoryException.invalid(
          "depth",
          "is %d; expected 1 to %d".formatted(depth, MemoryFilter.Neighbourhood.MAX_DEPTH));
    }
    StoredId root = readable(id);
    ReferenceWalk walk = read().walk();
    SequencedMap<StoredId, Integer> reached = walk.from(List.of(root), depth);
    Set<StoredId> skipped = new HashSet<>(walk.unread(root, reached, depth));
    List<RelatedMemory> related = new ArrayList<>();
    long omitted = 0;
    for (Map.Entry<StoredId, Integer> one : reached.entrySet()) {
      StoredId found = one.getKey();
      if (related.size() == MemorySearch.MAX_LIMIT) {
        omitted += found.entry().isPresent() ? 1 : 0;
      } else {
        MemoryCollection memories = found.memories();
        found
            .entry()
            .flatMap(memories::read)
            .map(memory -> new RelatedMemory(workspaces.shown(memories, memory), one.getValue()))
            .ifPresent(related::add);
      }
      if (found.isUnread()) {
        skipped.add(found);
      }
    }
    return new RelatedMemory.Answer(related, skipped.size(), omitted);
  }

  @Override
  public MemoryRecord pin(MemoryId id, boolean pinned) {
    return written(id).writer().pin(id, pinned);
  }

  /// A time alone means memories of the workspace: those of the account belong to others, too, and
  /// are deleted by id or topic.
  @Override
  public DeletionReport delete(Deletion deletion, boolean preview) {
    DeletionReport report = workspaces.written().writer().delete(deletion, preview);
    boolean namesAny = !deletion.ids().isEmpty() || deletion.topic().isPresent();
    Optional<MemoryCollection> others = namesAny ? account.existing() : Optional.empty();
    return others
        .map(memories -> sum(report, memories.writer().delete(deletion, preview)))
        .orElse(report);
  }

  private static DeletionReport sum(DeletionReport one, DeletionReport other) {
    return new DeletionReport(
        one.count() + other.count(),
        Stream.concat(one.first().stream(), other.first().stream())
            .limit(DeletionReport.SHOWN)
            .toList(),
        one.skipped() + other.skipped());
  }

  @Override
  public long rebuildIndex() {
    return read().all().stream().mapToLong(MemoryCollection::rebuildIndex).sum();
  }

  /// Whether there is a memory, of the workspace or of the account; also one that cannot be read.
  public boolean has(MemoryId id) {
    return !read().named(id).isEmpty();
  }

  /// Counts an access to memories that were shown in another way than by a search of this class.
  public void countAccess(Collection<MemoryId> shown) {
    Instant now = services.system().now();
    ReadCollections read = read();
    shown.stream()
        .flatMap(id -> read.shown(id).stream())
        .collect(
            Collectors.groupingBy(
                StoredId::memories, Collectors.mapping(StoredId::id, Collectors.toList())))
        .forEach((memories, ids) -> memories.count(ids, now));
  }
}
