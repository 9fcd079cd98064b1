package dev.agentmemory.recall.exchange;

import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.MemoryState;
import dev.agentmemory.api.recall.MemoryUse;
import dev.agentmemory.recall.RecallServices;
import dev.agentmemory.recall.exchange.ImportTally.Outcome;
import dev.agentmemory.recall.exchange.ImportedLine.OfMemories;
import dev.agentmemory.recall.internal.record.MemoryChanges;
import dev.agentmemory.recall.internal.record.MemoryJson;
import dev.agentmemory.recall.internal.record.MemoryJson.MemoryRow;
import dev.agentmemory.recall.internal.record.Tombstone;
import dev.agentmemory.recall.internal.table.MemoryTable;
import dev.agentmemory.recall.memory.MemoryBatch;
import dev.agentmemory.recall.memory.MemoryCollection;
import dev.agentmemory.recall.memory.WriteLimits;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.SessionId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;

/// Puts the memories of one call into one collection, with one commit. New memories of other
/// programs follow with a second one: their lines do not say what replaced them, so they are
/// compared with what is stored then.
///
/// A memory that is known stays as it is, whatever upkeep has made of it. One that was changed
/// later elsewhere replaces the one here, which becomes a former state. References need not lead
/// anywhere yet: what they name may come with a later call.
final class MemoryRestore {

  private final RecallServices services;
  private final MemoryCollection memories;
  private final Optional<MemoryCollection> workspace;
  private final ImportTally tally;
  private final ImportedForm form;
  private final List<Prepared> prepared = new ArrayList<>();

  private final MemoryBatch batch = new MemoryBatch();
  private final List<MemoryRow> foreign = new ArrayList<>();
  private final Map<MemoryId, MemoryRow> added = new HashMap<>();
  private final Map<MemoryId, NavigableMap<Long, String>> histories = new HashMap<>();
  private final Set<MemoryId> buried = new HashSet<>();
  private final Map<MemoryId, MemoryId> merged = new HashMap<>();

  /// A line in the form in which it would be stored.
  private sealed interface Prepared {

    long line();

    /// @param foreign whether another program wrote it
    record MemoryLine(long line, MemoryRow row, MemoryUse use, boolean foreign)
        implements Prepared {}

    record State(long line, long number, MemoryState state) implements Prepared {}

    record Merge(long line, MemoryId id, MemoryId into) implements Prepared {}

    record Buried(long line, Tombstone tombstone) implements Prepared {}
  }

  /// @param workspace whose memories those of the account must not name; empty for its own
  MemoryRestore(
      RecallServices services,
      MemoryCollection memories,
      Optional<MemoryCollection> workspace,
      ImportTally tally) {
    this.services = services;
    this.memories = memories;
    this.workspace = workspace;
    this.tally = tally;
    this.form = new ImportedForm(services);
  }

  void add(long number, OfMemories line) {
    try {
      prepared.add(prepared(number, line));
    } catch (MemoryException | IllegalArgumentException e) {
      tally.count(
          number,
          () -> {
            throw e;
          });
    }
  }

  private Prepared prepared(long number, OfMemories line) {
    return switch (line) {
      case ImportedLine.OfMemory(MemoryRecord memory, boolean foreign) ->
          new Prepared.MemoryLine(number, form.row(memory), memory.use(), foreign);
      case ImportedLine.OfState(long place, MemoryState state) ->
          new Prepared.State(number, place, form.state(state));
      case ImportedLine.OfMerge(MemoryId id, MemoryId into, boolean _) ->
          new Prepared.Merge(number, id, into);
      case ImportedLine.OfTombstone(Tombstone tombstone, boolean _) ->
          new Prepared.Buried(number, form.tombstone(tombstone));
    };
  }

  /// Stores what was added.
  void run() {
    if (prepared.isEmpty()) {
      return;
    }
    makeSpace();
    // Loaded before the lock is taken: the workspace's own writers look into the account.
    workspace.ifPresent(MemoryCollection::table);
    try (var _ = memories.exclusive()) {
      WriteLimits limits = memories.limits();
      prepared.forEach(one -> tally.count(one.line(), () -> restore(one, limits)));
      memories.commit(batch);
      if (!foreign.isEmpty()) {
        memories.commit(memories.superseding(foreign, services.system().now()));
      }
    }
  }

  private void makeSpace() {
    Map<SessionId, Long> sizes = new HashMap<>();
    for (Prepared one : prepared) {
      if (one instanceof Prepared.MemoryLine(long _, MemoryRow row, MemoryUse _, boolean _)
          && !memories.has(row.memory().id())) {
        row.memory()
            .place()
            .session()
            .ifPresent(session -> sizes.merge(session, (long) row.bytes(), Long::sum));
      }
    }
    sizes.forEach(memories::makeSpace);
  }

  private Outcome restore(Prepared one, WriteLimits limits) {
    return switch (one) {
      case Prepared.MemoryLine memory -> restore(memory, limits);
      case Prepared.State(long _, long number, MemoryState state) -> restore(number, state);
      case Prepared.Merge(long _, MemoryId id, MemoryId into) -> restore(id, into);
      case Prepared.Buried(long _, Tombstone tombstone) -> restore(tombstone);
    };
  }

  private Outcome restore(Prepared.MemoryLine line, WriteLimits limits) {
    MemoryRow row = present(line.row());
    MemoryRecord memory = row.memory();
    MemoryId id = memory.id();
    if (added.containsKey(id)) {
      if (added.get(id).text().equals(row.text())) {
        return Outcome.KNOWN;
      }
      throw conflict("memory %s comes twice, with different content; keep one of the lines", id);
    }
    Optional<MemoryRecord> stored = stored(id);
    if (stored.isPresent()) {
      return compare(stored.get(), row, limits);
    }
    checkGone(memory);
    accept(row, limits);
    if (line.foreign()) {
      foreign.add(row);
      return Outcome.IMPORTED;
    }
    batch.put(row);
    if (!line.use().equals(MemoryUse.NEVER)) {
      batch.use(id, line.use());
    }
    return Outcome.IMPORTED;
  }

  /// A row under the present name of its channel.
  private MemoryRow present(MemoryRow row) {
    MemoryRecord present = memories.inPresentChannel(row.memory());
    return present.equals(row.memory()) ? row : MemoryJson.CURRENT.row(present);
  }

  /// The memory with exactly this id. One that cannot be read does not count: an import mends it.
  private Optional<MemoryRecord> stored(MemoryId id) {
    return table().entry(id).flatMap(memories::read);
  }

  private MemoryTable table() {
    return memories.table();
  }

  private Outcome compare(MemoryRecord stored, MemoryRow row, WriteLimits limits) {
    MemoryRecord memory = row.memory();
    if (isSame(memory, stored) || wasSame(memory)) {
      return Outcome.KNOWN;
    }
    if (!memory.validity().updated().isAfter(stored.validity().updated())) {
      throw conflict(
          "memory %s is stored here with other content; give the line a later `updated_ms` to"
              + " replace it",
          memory.id());
    }
    checkForgotten(memory);
    accept(row, limits);
    batch.put(row);
    keep(stored);
    return Outcome.IMPORTED;
  }

  /// Whether both state the same. What upkeep, pins and renames of channels change does not count.
  private static boolean isSame(MemoryRecord one, MemoryRecord other) {
    return one.content().equals(other.content())
        && one.importance() == other.importance()
        && one.kind() == other.kind()
        && one.source().equals(other.source())
        && one.tags().equals(other.tags())
        && one.links().equals(other.links())
        && one.place().scope() == other.place().scope()
        && one.place().session().equals(other.place().session())
        && one.validity().created().equals(other.validity().created());
  }

  /// Whether the memory was like that before.
  private boolean wasSame(MemoryRecord memory) {
    return memories.rows().history(memory.id()).stream()
        .anyMatch(state -> isSame(memory, state.memory()));
  }

  /// Keeps a former state. The oldest ones go where there are too many.
  private void keep(MemoryRecord former) {
    NavigableMap<Long, String> numbers = history(former.id());
    long number = numbers.isEmpty() ? 1 : numbers.lastKey() + 1;
    while (numbers.size() >= MemoryChanges.MAX_STATES) {
      batch.dropState(former.id(), numbers.firstKey());
      numbers.remove(numbers.firstKey());
    }
    numbers.put(number, former.checksum());
    batch.state(number, new MemoryState(former, services.system().now(), "import"));
  }

  private void accept(MemoryRow row, WriteLimits limits) {
    MemoryRecord memory = row.memory();
    if (workspace.isPresent()) {
      memory.links().references().stream()
          .filter(workspace.get()::has)
          .findFirst()
          .ifPresent(reference -> {
            throw MemoryException.invalid(
                "references",
                "names %s, a memory of the workspace; with scope account only memories of the account can be named"
                    .formatted(reference));
          });
    }
    limits.add(row);
    added.put(memory.id(), row);
  }

  private void checkGone(MemoryRecord memory) {
    MemoryId id = memory.id();
    if (merged.containsKey(id) || table().isMerged(id)) {
      throw conflict("memory %s was merged into another one here", id);
    }
    Optional<Tombstone> tombstone = memories.rows().tombstone(id);
    if (buried.contains(id) || tombstone.filter(Tombstone::forgotten).isPresent()) {
      throw conflict("memory %s was deleted, and does not come back; remember it anew", id);
    }
    if (tombstone.isPresent()) {
      throw conflict(
          "memory %s was dropped by upkeep here; `memory consolidation undo` restores it", id);
    }
    checkForgotten(memory);
  }

  private void checkForgotten(MemoryRecord memory) {
    if (memories.tombstones().isForgottenWithin(memory.place(), memory.content().text())) {
      throw conflict(
          "what memory %s says was deleted here, and does not come back; remember it anew",
          memory.id());
    }
  }

  private Outcome restore(long number, MemoryState state) {
    MemoryId id = state.memory().id();
    if (!added.containsKey(id) && table().entry(id).isEmpty()) {
      throw new MemoryException(
          ErrorCode.NOT_FOUND,
          "is a former state of memory %s, which is not stored here; its line comes first"
              .formatted(id));
    }
    Map<Long, String> numbers = history(id);
    String checksum = numbers.get(number);
    if (checksum != null) {
      if (checksum.equals(state.memory().checksum())) {
        return Outcome.KNOWN;
      }
      throw conflict("memory %s has another former state of this number here", id);
    }
    if (numbers.size() >= MemoryChanges.MAX_STATES) {
      throw new MemoryException(
          ErrorCode.QUOTA_EXCEEDED,
          "memory %s has %d former states, which is the limit".formatted(id, numbers.size()));
    }
    checkForgotten(state.memory());
    numbers.put(number, state.memory().checksum());
    batch.state(number, state);
    return Outcome.IMPORTED;
  }

  private NavigableMap<Long, String> history(MemoryId id) {
    return histories.computeIfAbsent(id, memories.rows()::stateChecksums);
  }

  private Outcome restore(MemoryId id, MemoryId into) {
    if (isHere(id)) {
      throw conflict("memory %s is stored here, and not merged into another one", id);
    }
    if (into.equals(merged.get(id))) {
      return Outcome.KNOWN;
    }
    if (merged.containsKey(id) || table().isMerged(id)) {
      if (table().resolved(id).equals(table().resolved(into))) {
        return Outcome.KNOWN;
      }
      throw conflict("memory %s was merged into another one here", id);
    }
    if (buried.contains(id) || memories.rows().tombstone(id).isPresent()) {
      throw conflict("memory %s was deleted here", id);
    }
    merged.put(id, into);
    batch.redirect(id, into);
    return Outcome.IMPORTED;
  }

  private Outcome restore(Tombstone tombstone) {
    MemoryId id = tombstone.id();
    if (isHere(id) || merged.containsKey(id) || table().isMerged(id)) {
      throw conflict("memory %s is stored here; delete it if it is to be gone", id);
    }
    boolean known =
        buried.contains(id)
            || memories.rows().tombstone(id).filter(Tombstone::forgotten).isPresent();
    if (known) {
      return Outcome.KNOWN;
    }
    buried.add(id);
    batch.bury(tombstone);
    return Outcome.IMPORTED;
  }

  private boolean isHere(MemoryId id) {
    return added.containsKey(id) || table().entry(id).isPresent() || table().isCorrupt(id);
  }

  private static MemoryException conflict(String message, MemoryId id) {
    return new MemoryException(ErrorCode.CONFLICT, message.formatted(id));
  }
}
