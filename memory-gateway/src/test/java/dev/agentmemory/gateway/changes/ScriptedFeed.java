package dev.agentmemory.gateway.changes;

import dev.agentmemory.api.changes.ChangeFeed;
import dev.agentmemory.api.changes.ChangeReader;
import dev.agentmemory.api.changes.ChangedItems;
import dev.agentmemory.api.changes.WorkspaceChanges;
import dev.agentmemory.types.WorkspaceName;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/// A log of changes that a test writes. A position is how many changes came before it; one that is
/// no such number is unknown.
final class ScriptedFeed implements ChangeFeed {

  private final List<ChangedItems> changes = new CopyOnWriteArrayList<>();
  private final AtomicInteger readers = new AtomicInteger();

  void add(ChangedItems items) {
    changes.add(items);
  }

  /// How many readers are not closed.
  int readers() {
    return readers.get();
  }

  @Override
  public CompletableFuture<ChangeReader> follow(Optional<WorkspaceName> asked) {
    readers.incrementAndGet();
    return CompletableFuture.completedFuture(new Reader());
  }

  private final class Reader implements ChangeReader {

    @Override
    public String position() {
      return Integer.toString(changes.size());
    }

    @Override
    public WorkspaceChanges after(String position) {
      List<ChangedItems> all = List.copyOf(changes);
      String now = Integer.toString(all.size());
      int from;
      try {
        from = Integer.parseInt(position);
      } catch (NumberFormatException e) {
        return new WorkspaceChanges(now, /* isReset= */ true, ChangedItems.NONE);
      }
      return new WorkspaceChanges(
          now,
          /* isReset= */ false,
          all.subList(from, all.size()).stream().reduce(ChangedItems.NONE, ChangedItems::and));
    }

    @Override
    public void close() {
      readers.decrementAndGet();
    }
  }
}
