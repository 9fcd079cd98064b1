package dev.agentmemory.engine.internal.changes;

import dev.agentmemory.api.changes.ChangedItems;
import dev.agentmemory.api.changes.WorkspaceChanges;
import dev.agentmemory.spi.Mutex;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/// The latest changes of a workspace, in the heap. A position is the name of this log and how many
/// changes came before it, so one of an earlier log is recognised.
final class ChangeLog {

  /// Of all changes that are kept, which take about 2 MiB then.
  static final int MOST_IDS = 4_000;

  private static final char BETWEEN = '-';

  private final String name;
  private final Mutex lock = new Mutex();
  private final Deque<ChangedItems> kept = new ArrayDeque<>();
  private int ids;
  private long number;

  /// @param name that no earlier log of the workspace had
  ChangeLog(String name) {
    this.name = name;
  }

  /// Notes what a commit has changed.
  void add(ChangedItems items) {
    if (items.isEmpty()) {
      return;
    }
    try (var _ = lock.hold()) {
      kept.addLast(items);
      ids += items.size();
      number++;
      while (ids > MOST_IDS) {
        ids -= kept.removeFirst().size();
      }
    }
  }

  String position() {
    try (var _ = lock.hold()) {
      return name + BETWEEN + number;
    }
  }

  WorkspaceChanges after(String position) {
    try (var _ = lock.hold()) {
      String now = name + BETWEEN + number;
      return known(position)
          .map(missed -> new WorkspaceChanges(now, /* isReset= */ false, latest(missed)))
          .orElseGet(() -> new WorkspaceChanges(now, /* isReset= */ true, ChangedItems.NONE));
    }
  }

  /// How many changes lie behind a position; empty if they are not all there.
  private Optional<Long> known(String position) {
    int end = position.lastIndexOf(BETWEEN);
    if (end < 0 || !position.substring(0, end).equals(name)) {
      return Optional.empty();
    }
    try {
      long missed = number - Long.parseLong(position.substring(end + 1));
      return Optional.of(missed).filter(count -> count >= 0 && count <= kept.size());
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  private ChangedItems latest(long count) {
    return kept.stream().skip(kept.size() - count).reduce(ChangedItems.NONE, ChangedItems::and);
  }
}
