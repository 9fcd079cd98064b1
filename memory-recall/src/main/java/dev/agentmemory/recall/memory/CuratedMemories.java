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
import dev.agentmemory.recall.RecallServices;
import dev.agentmemory.recall.SessionChannels;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.SessionId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// The memories of a workspace and those of the account behind them.
public final class CuratedMemories implements Memories {

  /// The memories of the workspace or workspaces that a caller reads and writes.
  public interface WorkspaceCollections {

    /// What is read. Of memories that are found several times the first is taken.
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
    return new MemorySearcher(
        services.system().clock(), services.config(), channels, workspaces, collections());
  }

  /// What is read, that of the account last.
  private List<MemoryCollection> collections() {
    return Stream.concat(workspaces.all().stream(), account.existing().stream()).toList();
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

  /// The collection that has a memory.
  private MemoryCollection of(MemoryId id) {
    return collections().stream()
        .filter(memories -> memories.has(id))
        .findFirst()
        .orElseThrow(() -> MemoryCollection.missing(id));
  }

  /// The same, to change it.
  private MemoryCollection written(MemoryId id) {
    MemoryCollection memories = of(id);
    return memories.isAccount() ? memories : workspaces.written();
  }

  private Predicate<MemoryId> elsewhere(MemoryCollection memories) {
    return memories.isAccount() ? _ -> false : this::isInAccount;
  }

  @Override
  public MemoryRecord get(MemoryId id) {
    MemoryCollection memories = of(id);
    MemoryRecord memory = memories.get(id);
    memories.count(List.of(memory.id()), services.system().now());
    return memory;
  }

  @Override
  public MemoryRecord update(MemoryId id, MemoryUpdate update) {
    MemoryCollection memories = written(id);
    return memories.writer().update(id, update, elsewhere(memories));
  }

  @Override
  public MemoryState.History history(MemoryId id) {
    MemoryCollection memories = of(id);
    MemoryId found = memories.get(id).id();
    List<MemoryState> states = new ArrayList<>();
    var skipped = new LongAdder();
    memories.rows().forEachState(found, (_, state) -> states.add(state), skipped::increment);
    return new MemoryState.History(states.reversed(), skipped.sum());
  }

  @Override
  public MemoryPage list(MemoryFilter filter, PageRequest page) {
    return new MemoryLists(workspaces, collections()).list(filter, page);
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
    MemoryId root = of(id).get(id).id();
    var walk = new ReferenceWalk(collections());
    SequencedMap<MemoryId, Integer> reached = walk.from(List.of(root), depth);
    Set<MemoryId> skipped = new HashSet<>(walk.unread(root, reached, depth));
    List<RelatedMemory> related = new ArrayList<>();
    reached.forEach((found, distance) -> {
      Optional<MemoryRecord> memory = walk.find(found).flatMap(entry -> of(found).read(entry));
      memory
          .filter(_ -> related.size() < MemorySearch.MAX_LIMIT)
          .ifPresent(read -> related.add(new RelatedMemory(read, distance)));
      if (walk.isUnread(found)) {
        skipped.add(found);
      }
    });
    return new RelatedMemory.Answer(related, skipped.size());
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
    return collections().stream().mapToLong(MemoryCollection::rebuildIndex).sum();
  }

  /// Counts an access to memories that were shown in another way than by a search of this class.
  public void countAccess(Collection<MemoryId> shown) {
    Instant now = services.system().now();
    for (MemoryCollection memories : collections()) {
      memories.count(shown.stream().filter(memories::has).toList(), now);
    }
  }
}
