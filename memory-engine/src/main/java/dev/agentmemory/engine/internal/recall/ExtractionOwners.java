package dev.agentmemory.engine.internal.recall;

import dev.agentmemory.recall.derive.MemoryExtraction;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.types.Session;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.WorkspaceName;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/// The workspaces whose events a store has, and how memories are extracted for each.
public interface ExtractionOwners {

  /// The workspaces of the store; one that is empty for a store of one workspace.
  List<Optional<WorkspaceName>> all();

  /// Begins the extraction for a workspace. Called once for each.
  MemoryExtraction open(Optional<WorkspaceName> owner);

  /// A store of one workspace.
  static ExtractionOwners only(MemoryExtraction extraction) {
    return new ExtractionOwners() {
      @Override
      public List<Optional<WorkspaceName>> all() {
        return List.of(Optional.empty());
      }

      @Override
      public MemoryExtraction open(Optional<WorkspaceName> owner) {
        return extraction;
      }
    };
  }

  /// The names of the workspaces that share a store, from one's first session to the next one's.
  static SortedSet<WorkspaceName> names(MemoryStore shared) {
    var names = new TreeSet<WorkspaceName>();
    List<Session> next = shared.sessions().sessions(Optional.empty(), 1);
    while (!next.isEmpty()) {
      WorkspaceName name = next.getFirst().id().workspace().orElseThrow();
      names.add(name);
      // Sorts behind all sessions of the workspace: what follows the slash in ASCII is the zero.
      var behind = new SessionId("@" + name + "0");
      next = shared.sessions().sessions(Optional.of(behind), 1);
    }
    return names;
  }
}
