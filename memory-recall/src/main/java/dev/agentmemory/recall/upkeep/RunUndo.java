package dev.agentmemory.recall.upkeep;

import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.MemoryUse;
import dev.agentmemory.recall.internal.record.LoggedMemory;
import dev.agentmemory.recall.internal.record.MemoryJson;
import dev.agentmemory.recall.internal.record.MemoryRows;
import dev.agentmemory.recall.internal.record.RunRows;
import dev.agentmemory.recall.internal.record.UpkeepRun;
import dev.agentmemory.recall.internal.table.MemoryEntry;
import dev.agentmemory.recall.memory.MemoryBatch;
import dev.agentmemory.recall.memory.MemoryCollection;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.record.StoredRecord;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Undoes a run: the last of its commits first, a commit for each. An undo that is cut off is
/// finished when it is called again.
///
/// - A memory that the run removed comes back as it was, unless a caller has forgotten it, or its
///   text, since.
/// - A memory that the run changed and nothing has changed since becomes what it was.
/// - If a caller has changed it since, only those fields go back that still have the run's values.
///   The caller's change stays, and the state before the undo is kept as history.
/// - If a later run has changed one of the memories, that run has to be undone first. Otherwise it
///   could not be undone to the state before it.
/// - A memory whose former state cannot be read stays as it is. All others are restored; then the
///   undo fails, so that the caller knows.
final class RunUndo {

  private final MemoryCollection memories;
  private final MemoryRows rows;
  private final RunRows log;
  private final Instant now;

  RunUndo(MemoryCollection memories, Instant now) {
    this.memories = memories;
    this.rows = memories.rows();
    this.log = rows.runs();
    this.now = now;
  }

  /// @return the run as it is in the log then
  /// @throws MemoryException `CONFLICT` when a later run has to be undone first; `CORRUPT_RECORD`
  ///   when memories could not be restored, after all others were
  UpkeepRun undo(MemoryId id) {
    boolean first = true;
    int lost = 0;
    while (true) {
      try (var _ = memories.exclusive()) {
        UpkeepRun run = log.run(id).orElseThrow();
        if (run.undone().isPresent()) {
          checkNoneLost(id, lost);
          return run;
        }
        if (first) {
          checkLater(run);
          first = false;
        }
        lost += undoPart(run);
      }
    }
  }

  private static void checkNoneLost(MemoryId run, int lost) {
    if (lost > 0) {
      throw new MemoryException(
          ErrorCode.CORRUPT_RECORD,
          ("run %s was undone, but for %d memories whose former state cannot be read; the daemon's"
                  + " log names them; restore a backup to have them back")
              .formatted(run, lost));
    }
  }

  private void checkLater(UpkeepRun run) {
    Set<MemoryId> changed = log.ids(run);
    for (UpkeepRun later : log.runs()) {
      boolean applies = later.id().compareTo(run.id()) > 0 && later.undone().isEmpty();
      if (applies && !Collections.disjoint(changed, log.ids(later))) {
        throw new MemoryException(
            ErrorCode.CONFLICT,
            "run %s has changed memories of run %s later; undo %s first"
                .formatted(later.id(), run.id(), later.id()));
      }
    }
  }

  /// @return how many memories could not be restored
  private int undoPart(UpkeepRun run) {
    int part = run.lastPart();
    var batch = new MemoryBatch();
    RunRows.LoggedPart logged = log.logged(run.id(), part);
    logged.memories().forEach(memory -> undo(run, memory, batch));
    batch.with(log.dropPart(run.id(), part)).with(List.of(log.put(run.minusPart(now))));
    memories.commit(batch);
    return logged.unreadable();
  }

  private void undo(UpkeepRun run, LoggedMemory logged, MemoryBatch batch) {
    MemoryId id = logged.before().id();
    Optional<MemoryEntry> present = memories.table().entry(id);
    Optional<MemoryRecord> current = present.flatMap(memories::read);
    if (present.isEmpty() && !isGone(run, logged)) {
      restore(logged, MemoryUse.NEVER, batch);
    } else if (current.isPresent() && logged.after().isPresent()) {
      LoggedMemory.After after = logged.after().get();
      MemoryUse use = useWithout(after.use(), logged.use(), current.get().use());
      if (current.get().checksum().equals(after.memory().checksum())) {
        restore(logged, use, batch);
      } else {
        revert(logged, current.get(), use, batch);
      }
    }
  }

  /// Whether a memory that is not there must not come back.
  private boolean isGone(UpkeepRun run, LoggedMemory logged) {
    MemoryRecord before = logged.before();
    return memories.tombstones().isForgotten(before.id())
        || memories.table().isCorrupt(before.id())
        || logged.after().isPresent()
        || memories
            .tombstones()
            .isForgottenSince(before.place(), before.content().text(), run.time());
  }

  /// @param use of a memory that is there now
  private void restore(LoggedMemory logged, MemoryUse use, MemoryBatch batch) {
    MemoryId id = logged.before().id();
    // A channel may have another name than when the memory left.
    batch.restore(memories.inPresentChannel(logged.before()));
    MemoryUse restored = logged.after().isPresent() ? use : logged.use();
    if (!restored.equals(
        memories.table().entry(id).map(MemoryEntry::use).orElse(MemoryUse.NEVER))) {
      batch.use(id, restored);
    }
    logged.vector().ifPresent(vector -> batch.vector(id, vector));
    Set<String> kept = logged.history().stream().map(StoredRecord::key).collect(Collectors.toSet());
    List<Change> history = new ArrayList<>();
    // A removed memory has no former states left, and to look for them takes long after many
    // deletions.
    if (logged.after().isPresent()) {
      for (StoredRecord row : rows.historyRows(id)) {
        if (!kept.contains(row.key())) {
          history.add(new Change.DropRecord(row.key()));
        }
      }
    }
    logged.history().forEach(row -> history.add(new Change.PutRecord(row)));
    batch.with(history);
  }

  private void revert(LoggedMemory logged, MemoryRecord current, MemoryUse use, MemoryBatch batch) {
    MemoryRecord after = logged.after().orElseThrow().memory();
    MemoryRecord reverted = FieldRevert.of(logged.before(), after, current);
    boolean differs =
        !MemoryJson.CURRENT.row(reverted).memory().checksum().equals(current.checksum());
    if (differs) {
      batch.change(current, reverted, now, "undo");
    }
    if (!use.equals(current.use())) {
      batch.use(current.id(), use);
    }
  }

  /// What a memory is read by itself, without what a merge has added.
  private static MemoryUse useWithout(MemoryUse after, MemoryUse before, MemoryUse current) {
    long count = Math.max(0, current.count() - (after.count() - before.count()));
    Optional<Instant> last =
        current.lastAccess().equals(after.lastAccess())
            ? before.lastAccess()
            : current.lastAccess();
    return new MemoryUse(last, count);
  }
}
