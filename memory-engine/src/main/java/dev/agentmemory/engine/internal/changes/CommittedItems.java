package dev.agentmemory.engine.internal.changes;

import dev.agentmemory.api.changes.ChangedItems;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.Checkpoint;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.types.EventId;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// What a commit has changed, as far as somebody shows it.
final class CommittedItems {

  private static final String MEMORY = "memory:";
  private static final String JOB = "job:";
  private static final String CONSUMERS = "consumers";
  private static final String DIRTY_NODES = "dirtyNodes";
  private static final String DEAD_LETTERS = "deadLetters";
  private static final String MODEL_USAGE = "modelUsage";

  private final Set<String> sessions = new LinkedHashSet<>();
  private final Set<String> nodes = new LinkedHashSet<>();
  private final Set<String> memories = new LinkedHashSet<>();
  private final Set<String> jobs = new LinkedHashSet<>();
  private final Set<String> status = new LinkedHashSet<>();
  private String lastEvent = "";

  private CommittedItems() {}

  /// @param receipts of its events
  static ChangedItems of(Commit commit, List<Receipt> receipts) {
    Set<EventId> created =
        receipts.stream()
            .filter(Receipt.Created.class::isInstance)
            .map(Receipt::event)
            .collect(Collectors.toSet());
    var items = new CommittedItems();
    commit.changes().forEach(change -> items.add(change, created));
    commit.checkpoint().map(Checkpoint::name).ifPresent(items::addCheckpoint);
    return new ChangedItems(
        items.sessions,
        items.lastEvent,
        items.nodes,
        items.memories,
        items.jobs,
        items.status,
        /* more= */ false);
  }

  /// That of a job is its last run; any other is how far a consumer has come.
  private void addCheckpoint(String name) {
    if (name.startsWith(JOB)) {
      jobs.add(name.substring(JOB.length()));
    } else {
      status.add(CONSUMERS);
    }
  }

  private void add(Change change, Set<EventId> created) {
    switch (change) {
      case Change.AppendEvent(var event, _) -> {
        if (created.contains(event.id())) {
          sessions.add(event.session().value());
          lastEvent = event.id().value();
        }
      }
      case Change.MaskEvent(var event) -> sessions.add(event.session().value());
      case Change.EraseEvent(var session, _, _) -> sessions.add(session.value());
      case Change.MaskNode(var node) -> nodes.add(node.id().toString());
      case Change.PutNode(var node) -> nodes.add(node.id().toString());
      case Change.RetireNode(var node) -> nodes.add(node.toString());
      case Change.DropFormerVersions(var node) -> nodes.add(node.toString());
      case Change.PutRecord(var row, _) -> addRecord(row.key());
      case Change.DropRecord(var key) -> addRecord(key);
      case Change.MarkDirty _, Change.ClearDirty _ -> status.add(DIRTY_NODES);
      case Change.PutDeadLetter _, Change.DropDeadLetter _ -> status.add(DEAD_LETTERS);
      case Change.RecordCall _ -> status.add(MODEL_USAGE);
      case Change.MarkUpgrade _,
          Change.ClearUpgrade _,
          Change.PutGrip _,
          Change.DropGrip _,
          Change.PutSegment _,
          Change.DropSegment _,
          Change.TrimOutbox _ -> {}
    }
  }

  /// The other rows of a memory, such as its accesses, are not shown or change with it.
  private void addRecord(String key) {
    if (key.startsWith(MEMORY)) {
      memories.add(key.substring(MEMORY.length()));
    }
  }
}
