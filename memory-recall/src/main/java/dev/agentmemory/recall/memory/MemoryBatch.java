package dev.agentmemory.recall.memory;

import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.MemoryState;
import dev.agentmemory.api.recall.MemoryUse;
import dev.agentmemory.api.recall.Validity;
import dev.agentmemory.recall.internal.record.MemoryJson;
import dev.agentmemory.recall.internal.record.MemoryJson.MemoryRow;
import dev.agentmemory.recall.internal.record.MemoryVector;
import dev.agentmemory.recall.internal.record.Tombstone;
import dev.agentmemory.recall.internal.table.MemoryEntry;
import dev.agentmemory.recall.internal.table.MemoryStatement;
import dev.agentmemory.recall.internal.table.NewMemory;
import dev.agentmemory.store.Change;
import dev.agentmemory.types.MemoryId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Changes of memories that become durable together. It checks nothing; the caller has to.
public final class MemoryBatch {

  final Map<MemoryId, Put> puts = new LinkedHashMap<>();
  final Map<MemoryId, Removal> removals = new LinkedHashMap<>();
  final Map<MemoryId, MemoryUse> uses = new LinkedHashMap<>();
  final Map<MemoryId, MemoryVector> vectors = new LinkedHashMap<>();
  final List<NumberedState> states = new ArrayList<>();
  final List<StateNumber> droppedStates = new ArrayList<>();
  final List<Change> others = new ArrayList<>();

  /// @param statement of the memory's text, if it is computed already
  /// @param former what to keep as history
  /// @param isNew whether no row has its id
  /// @param restored whether a tombstone or a merge of this id is taken back
  record Put(
      MemoryRow row,
      Optional<MemoryStatement> statement,
      Optional<MemoryState> former,
      boolean isNew,
      boolean restored) {

    Put(MemoryRow row, Optional<MemoryState> former, boolean restored) {
      this(row, Optional.empty(), former, /* isNew= */ false, restored);
    }

    MemoryEntry entry() {
      MemoryRecord memory = row.memory();
      return MemoryEntry.of(
          memory,
          row.bytes(),
          statement.orElseGet(() -> MemoryStatement.of(memory.content().text())));
    }
  }

  /// @param number 1 and up
  record NumberedState(long number, MemoryState state) {}

  /// @param number 1 and up
  record StateNumber(MemoryId id, long number) {}

  /// How a memory leaves.
  sealed interface Removal {

    record Deleted(Tombstone tombstone) implements Removal {}

    /// @param memory what it was
    record Merged(MemoryRecord memory, MemoryId into) implements Removal {}

    /// It was merged elsewhere and has never been here.
    record MergedElsewhere(MemoryId into) implements Removal {}
  }

  /// Writes a memory that is new, or changes one without a trace in its history. Its checksum is
  /// computed; use and vector of a known memory stay, the vector unless the statement is another
  /// one.
  public MemoryBatch put(MemoryRecord memory) {
    return put(MemoryJson.CURRENT.row(memory));
  }

  /// The same with a row that is made already.
  public MemoryBatch put(MemoryRow row) {
    puts.put(row.memory().id(), new Put(row, Optional.empty(), /* restored= */ false));
    return this;
  }

  /// Writes a memory that was made already. Its statement is not computed again.
  ///
  /// @param row of the memory as it is to be stored, with the text that it was made with
  void add(MemoryRow row, NewMemory made) {
    puts.put(
        row.memory().id(),
        new Put(
            row,
            Optional.of(made.entry().statement()),
            Optional.empty(),
            made.isDrawn(),
            /* restored= */ false));
  }

  /// Changes a memory and keeps its former state.
  ///
  /// @param reason what replaces it: `update`, `merge`, `promotion`, `supersession`, `import` or
  ///   `undo`
  public MemoryBatch change(MemoryRecord former, MemoryRecord memory, Instant time, String reason) {
    return change(former, MemoryJson.CURRENT.row(memory), time, reason);
  }

  /// The same with a row that is made already.
  public MemoryBatch change(MemoryRecord former, MemoryRow row, Instant time, String reason) {
    MemoryState state = new MemoryState(former, time, reason);
    puts.put(row.memory().id(), new Put(row, Optional.of(state), /* restored= */ false));
    return this;
  }

  /// Ends the validity of a memory where that of one begins which contradicts it, and keeps its
  /// former state. Nothing else of it changes.
  ///
  /// @param time of the change
  public MemoryBatch supersede(MemoryRecord former, MemoryRecord by, Instant time) {
    Validity validity = former.validity().superseded(by.validity().validFrom(), by.id());
    return change(former, former.withValidity(validity), time, "supersession");
  }

  /// Writes a memory that upkeep has dropped or merged, as it was.
  public MemoryBatch restore(MemoryRecord memory) {
    puts.put(
        memory.id(),
        new Put(MemoryJson.CURRENT.row(memory), Optional.empty(), /* restored= */ true));
    return this;
  }

  /// Removes a memory because a caller deletes it: its content must not come back.
  public MemoryBatch forget(MemoryId id, Instant time, String reason) {
    return delete(new Tombstone(id, time, reason, /* forgotten= */ true));
  }

  /// Removes a memory because upkeep drops it. It can be restored, and its content may come back in
  /// another memory.
  public MemoryBatch drop(MemoryId id, Instant time, String reason) {
    return delete(new Tombstone(id, time, reason, /* forgotten= */ false));
  }

  private MemoryBatch delete(Tombstone tombstone) {
    removals.put(tombstone.id(), new Removal.Deleted(tombstone));
    return this;
  }

  /// Removes a memory that becomes a part of another one. Its id leads there from then on.
  public MemoryBatch merge(MemoryRecord memory, MemoryId into) {
    removals.put(memory.id(), new Removal.Merged(memory, into));
    return this;
  }

  /// Notes that an id leads to a memory, into which its own was merged in another store.
  public MemoryBatch redirect(MemoryId id, MemoryId into) {
    removals.put(id, new Removal.MergedElsewhere(into));
    return this;
  }

  /// Writes a tombstone of another store; the memory must not be stored here.
  public MemoryBatch bury(Tombstone tombstone) {
    return delete(tombstone);
  }

  /// Writes a former state of a memory.
  ///
  /// @param number its place in the history, 1 and up; a state with an equal number is replaced
  public MemoryBatch state(long number, MemoryState state) {
    states.add(new NumberedState(number, state));
    return this;
  }

  /// Removes a former state of a memory, also one that this batch writes.
  ///
  /// @param number its place in the history, 1 and up
  public MemoryBatch dropState(MemoryId id, long number) {
    droppedStates.add(new StateNumber(id, number));
    return this;
  }

  /// Sets how a memory was read.
  public MemoryBatch use(MemoryId id, MemoryUse use) {
    uses.put(id, use);
    return this;
  }

  /// Sets the vector of a memory.
  public MemoryBatch vector(MemoryId id, MemoryVector vector) {
    vectors.put(id, vector);
    return this;
  }

  /// Adds changes of rows that are no memories, such as the log of a run.
  public MemoryBatch with(List<Change> changes) {
    others.addAll(changes);
    return this;
  }

  /// Whether nothing was added.
  public boolean isEmpty() {
    return puts.isEmpty()
        && removals.isEmpty()
        && uses.isEmpty()
        && vectors.isEmpty()
        && states.isEmpty()
        && droppedStates.isEmpty()
        && others.isEmpty();
  }

  /// Whether it changes what a word index contains.
  boolean changesWords() {
    return !puts.isEmpty() || !removals.isEmpty();
  }
}
