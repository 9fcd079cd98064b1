package dev.agentmemory.recall.upkeep;

import dev.agentmemory.api.recall.MemoryContent;
import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.api.recall.MemoryPlace;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.MemoryScope;
import dev.agentmemory.recall.internal.record.StatedPreference;
import dev.agentmemory.recall.internal.record.StatedPreferences;
import dev.agentmemory.recall.internal.table.MemoryEntry;
import dev.agentmemory.recall.memory.AccountMemories;
import dev.agentmemory.recall.memory.AddOutcome;
import dev.agentmemory.recall.memory.MemoryBatch;
import dev.agentmemory.recall.memory.MemoryCollection;
import dev.agentmemory.store.Change;
import dev.agentmemory.text.StatementIdentity;
import dev.agentmemory.types.WorkspaceName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Makes a preference a memory of the account when two workspaces state it.
///
/// Idea: in the account's store each workspace notes hashes of its preferences, made with a key of
/// that store, and nothing else of them. The second workspace that notes one has its text, and
/// makes the memory of that. It has no tags, links or structure.
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

  /// Notes the preferences that the workspace states now.
  ///
  /// @return how many memories of the account are new
  int share() {
    Map<StatementIdentity, MemoryEntry> stated = stated();
    Optional<MemoryCollection> there = account.existing();
    if (there.isEmpty() && !stated.isEmpty()) {
      there = account.writable();
    }
    return there.map(memories -> share(stated, memories)).orElse(0);
  }

  /// The preferences of the workspace, of equal ones the newest.
  private Map<StatementIdentity, MemoryEntry> stated() {
    Map<StatementIdentity, MemoryEntry> stated = new LinkedHashMap<>();
    workspace.entries().stream()
        .filter(entry -> entry.kind() == MemoryKind.PREFERENCE)
        .filter(entry -> entry.scope() == MemoryScope.WORKSPACE && !entry.isSuperseded())
        .forEach(
            entry -> entry.statement().exact().ifPresent(says -> stated.putIfAbsent(says, entry)));
    return stated;
  }

  private int share(Map<StatementIdentity, MemoryEntry> stated, MemoryCollection memories) {
    UnaryOperator<String> hash = memories.keyedHash();
    Map<String, MemoryEntry> mine = new LinkedHashMap<>();
    stated.forEach((says, entry) -> mine.put(hash.apply(says.toString()), entry));
    try (var _ = memories.exclusive()) {
      StatedPreferences rows = memories.rows().stated();
      Map<String, StatedPreference> known = rows.all();
      List<Change> changes = new ArrayList<>();
      known.forEach((key, row) -> {
        if (row.workspaces().contains(name) && !mine.containsKey(key)) {
          changes.add(rows.put(key, row.without(name)));
        }
      });
      int made = 0;
      for (Map.Entry<String, MemoryEntry> one : mine.entrySet()) {
        StatedPreference before = known.getOrDefault(one.getKey(), StatedPreference.NONE);
        StatedPreference after = before.with(name);
        if (!after.made() && after.workspaces().size() > 1) {
          Optional<AddOutcome> outcome = add(one.getValue(), memories);
          made += outcome.filter(AddOutcome.Added.class::isInstance).isPresent() ? 1 : 0;
          after = outcome.isPresent() ? after.asMade() : after;
        }
        if (!after.equals(before)) {
          changes.add(rows.put(one.getKey(), after));
        }
      }
      // After the memories: a crash in between finds them stated.
      memories.commit(new MemoryBatch().with(changes));
      return made;
    }
  }

  /// @return empty when it has to be tried again
  private Optional<AddOutcome> add(MemoryEntry entry, MemoryCollection memories) {
    Optional<MemoryRecord> stated =
        memories.entries().stream()
            .filter(there -> there.statement().exact().equals(entry.statement().exact()))
            .findFirst()
            .flatMap(memories::read);
    if (stated.isPresent()) {
      return stated.map(AddOutcome.Known::new);
    }
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

  /// Takes what a workspace has noted away: the workspace is deleted.
  ///
  /// @param memories of the account
  public static void forget(WorkspaceName name, MemoryCollection memories) {
    try (var _ = memories.exclusive()) {
      StatedPreferences rows = memories.rows().stated();
      memories.commit(
          new MemoryBatch()
              .with(
                  rows.all().entrySet().stream()
                      .filter(one -> one.getValue().workspaces().contains(name))
                      .map(one -> rows.put(one.getKey(), one.getValue().without(name)))
                      .collect(Collectors.toList())));
    }
  }
}
