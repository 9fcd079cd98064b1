package dev.agentmemory.engine.internal.recall;

import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.store.record.StoredRecord;
import dev.agentmemory.toc.shared.WorkspaceView;
import dev.agentmemory.types.WorkspaceName;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;

/// The workspaces of a store that they share: those that have events, and those that have memories,
/// channels, conversations or scratchpads only. Their rows have keys such as `memory:@alpha/01…`.
public final class SharedNames {

  /// The kinds of rows that the first write of a workspace leaves; deleted memories leave `meta`.
  private static final List<String> KINDS =
      List.of("memory", "channel", "conversation", "pad", "meta");

  private SharedNames() {}

  /// The names of all, from one's first row of a kind to the next one's.
  public static SortedSet<WorkspaceName> all(MemoryStore shared) {
    SortedSet<WorkspaceName> names = ExtractionOwners.names(shared);
    KINDS.forEach(kind -> addOwners(shared, kind + ":@", names));
    return names;
  }

  private static void addOwners(MemoryStore shared, String prefix, SortedSet<WorkspaceName> names) {
    List<StoredRecord> next = shared.records().records(prefix, Optional.empty(), 1);
    while (!next.isEmpty()) {
      String key = next.getFirst().key();
      String owner = key.substring(prefix.length(), key.indexOf('/'));
      names.add(new WorkspaceName(owner));
      // What follows the slash in ASCII is the zero.
      next = shared.records().records(prefix, Optional.of(prefix + owner + '0'), 1);
    }
  }

  /// Whether a workspace has an event or such a row.
  public static boolean has(MemoryStore shared, WorkspaceName name) {
    var view = new WorkspaceView(shared, name);
    return !view.sessions(Optional.empty(), 1).isEmpty()
        || KINDS.stream()
            .anyMatch(kind ->
                !shared.records().records(kind + ":@" + name + "/", Optional.empty(), 1).isEmpty());
  }
}
