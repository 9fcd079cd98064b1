package dev.agentmemory.recall.upkeep;

import dev.agentmemory.api.recall.MemoryContent;
import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.api.recall.MemoryPlace;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.MemoryScope;
import dev.agentmemory.api.recall.MemoryState;
import dev.agentmemory.recall.internal.record.MemoryKeys;
import dev.agentmemory.recall.internal.record.StatedPreference;
import dev.agentmemory.recall.internal.table.MemoryEntry;
import dev.agentmemory.recall.memory.AccountMemories;
import dev.agentmemory.recall.memory.AddOutcome;
import dev.agentmemory.recall.memory.MemoryBatch;
import dev.agentmemory.recall.memory.MemoryCollection;
import dev.agentmemory.text.StatementIdentity;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.WorkspaceName;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Makes a preference a memory of the account when two workspaces state it.
///
/// Idea: each workspace writes hashes of its preferences into the account's store, made with a key
/// of that store, and nothing else of them. The second workspace that writes a hash has the text,
/// and makes the memory from it, without tags, links or structure.
///
/// Of a preference a memory is made once. Who changes or deletes it has decided for all workspaces.
public final class SharedPreferences {

  /// The source of the memories.
  static final String SOURCE = "consolidation";

  private static final Logger LOG = LoggerFactory.getLogger(SharedPreferences.class);

  private final WorkspaceName name;
  private final MemoryCollection workspace;
  private final AccountMemories account;

  SharedPreferences(WorkspaceName name, MemoryCollection workspace, AccountMemories account) {
    this.name = name;
    this.workspace = workspace;
    this.account = account;
  }

  /// Writes which preferences the workspace states now.
  ///
  /// @return how many memories of the account are new
  int share() {
    Map<StatementIdentity, MemoryEntry> stated = stated(/* gone= */ Set.of());
    Optional<MemoryCollection> there = account.existing();
    if (there.isEmpty() && !stated.isEmpty()) {
      there = account.writable();
    }
    return there.map(memories -> share(stated, memories)).orElse(0);
  }

  /// How many memories of the account [#share] would make. Writes nothing.
  ///
  /// @param gone memories that are removed or replaced before
  long planned(Set<MemoryId> gone) {
    return account.existing().map(memories -> planned(gone, memories)).orElse(0L);
  }

  private long planned(Set<MemoryId> gone, MemoryCollection memories) {
    Map<String, StatedPreference> known = memories.rows().statedPreferences();
    if (known.isEmpty()) {
      // Without a row there may be no key of hashes yet, and asking for it would write one.
      return 0;
    }
    UnaryOperator<String> hash = memories.keyedHash();
    Set<StatementIdentity> existing = said(memories, gone);
    return stated(gone).entrySet().stream()
        .filter(one -> !existing.contains(one.getKey()))
        .filter(one ->
            isDue(known.getOrDefault(key(hash, one.getKey()), StatedPreference.NONE).with(name)))
        .filter(one -> isAccepted(one.getValue(), memories))
        .count();
  }

  private boolean isAccepted(MemoryEntry entry, MemoryCollection memories) {
    return workspace
        .read(entry)
        .filter(memory ->
            !memories.tombstones().isForgotten(MemoryPlace.account(), memory.content().text()))
        .isPresent();
  }

  private static boolean isDue(StatedPreference row) {
    return !row.made() && row.workspaces().size() > 1;
  }

  private static String key(UnaryOperator<String> hash, StatementIdentity says) {
    return hash.apply("%016x%016x".formatted(says.high(), says.low()));
  }

  /// The preferences of the workspace, of equal ones the newest.
  private Map<StatementIdentity, MemoryEntry> stated(Set<MemoryId> gone) {
    Map<StatementIdentity, MemoryEntry> stated = new LinkedHashMap<>();
    workspace.entries().stream()
        .filter(entry -> entry.kind() == MemoryKind.PREFERENCE && !gone.contains(entry.id()))
        .filter(entry -> entry.scope() == MemoryScope.WORKSPACE && !entry.isSuperseded())
        .forEach(
            entry -> entry.statement().exact().ifPresent(says -> stated.putIfAbsent(says, entry)));
    return stated;
  }

  private int share(Map<StatementIdentity, MemoryEntry> stated, MemoryCollection memories) {
    UnaryOperator<String> hash = memories.keyedHash();
    try (var _ = memories.exclusive()) {
      Map<String, StatedPreference> known = memories.rows().statedPreferences();
      Map<String, StatedPreference> changed = new LinkedHashMap<>();
      known.forEach((key, row) -> changed.put(key, row.without(name)));
      Set<StatementIdentity> existing = said(memories, /* gone= */ Set.of());
      int made = 0;
      for (Map.Entry<StatementIdentity, MemoryEntry> one : stated.entrySet()) {
        StatementIdentity says = one.getKey();
        String key = key(hash, says);
        StatedPreference row = changed.getOrDefault(key, StatedPreference.NONE).with(name);
        if (isDue(row)) {
          if (existing.contains(says)) {
            row = row.asMade();
          } else {
            Optional<AddOutcome> added = add(one.getValue(), memories);
            row = added.isPresent() ? row.asMade() : row;
            made += added.filter(AddOutcome.Added.class::isInstance).isPresent() ? 1 : 0;
          }
        }
        changed.put(key, row);
      }
      changed.entrySet().removeIf(one -> one.getValue().equals(known.get(one.getKey())));
      // After the memories: a crash in between finds them stated.
      write(changed, memories);
      return made;
    }
  }

  private static void write(Map<String, StatedPreference> changed, MemoryCollection memories) {
    MemoryKeys keys = memories.rows().keys();
    memories.commit(
        new MemoryBatch()
            .with(
                changed.entrySet().stream()
                    .map(one -> one.getValue().change(keys, one.getKey()))
                    .toList()));
  }

  private static Set<StatementIdentity> said(MemoryCollection memories, Set<MemoryId> gone) {
    return memories.entries().stream()
        .filter(entry -> !gone.contains(entry.id()))
        .flatMap(entry -> entry.statement().exact().stream())
        .collect(Collectors.toUnmodifiableSet());
  }

  /// @return what became of it; empty when it has to be tried again
  private Optional<AddOutcome> add(MemoryEntry entry, MemoryCollection memories) {
    return workspace
        .read(entry)
        .map(memory -> memories.addMissing(List.of(draft(memory))).getFirst())
        .filter(SharedPreferences::isDecided);
  }

  private static MemoryDraft draft(MemoryRecord memory) {
    return MemoryDraft.builder(MemoryContent.of(memory.content().text()))
        .place(MemoryPlace.account())
        .kind(MemoryKind.PREFERENCE)
        .source(SOURCE)
        .importance(memory.importance())
        .build();
  }

  private static boolean isDecided(AddOutcome outcome) {
    if (outcome instanceof AddOutcome.Refused(var why)) {
      LOG.warn(
          "a preference of two workspaces was not stored for the account: {}", why.getMessage());
      return false;
    }
    return true;
  }

  /// The memories of the account that were made of memories of a workspace, also those that were
  /// changed since. They have no link to what they were made of: only what they say tells it.
  ///
  /// @param erased memories of the workspace
  /// @param account the memories of the account
  public static Set<MemoryId> madeOf(
      MemoryCollection workspace, Set<MemoryId> erased, MemoryCollection account) {
    Set<StatementIdentity> said = new HashSet<>();
    erased.forEach(id ->
        states(workspace, id)
            .filter(memory -> memory.kind() == MemoryKind.PREFERENCE)
            .forEach(memory -> StatementIdentity.of(memory.content().text()).ifPresent(said::add)));
    return said.isEmpty()
        ? Set.of()
        : account.entries().stream()
            .filter(entry -> entry.source().equals(SOURCE))
            .map(MemoryEntry::id)
            .filter(id ->
                states(account, id)
                    .flatMap(memory -> StatementIdentity.of(memory.content().text()).stream())
                    .anyMatch(said::contains))
            .collect(Collectors.toUnmodifiableSet());
  }

  /// A memory and what it was before.
  private static Stream<MemoryRecord> states(MemoryCollection memories, MemoryId id) {
    return Stream.concat(
        memories.table().entry(id).flatMap(memories::read).stream(),
        memories.rows().history(id).stream().map(MemoryState::memory));
  }

  /// Removes a workspace that is deleted from those that state preferences.
  ///
  /// @param memories of the account
  public static void forget(WorkspaceName name, MemoryCollection memories) {
    try (var _ = memories.exclusive()) {
      Map<String, StatedPreference> changed = new LinkedHashMap<>();
      memories
          .rows()
          .statedPreferences()
          .forEach((key, row) -> {
            if (row.workspaces().contains(name)) {
              changed.put(key, row.without(name));
            }
          });
      write(changed, memories);
    }
  }
}
