package dev.agentmemory.recall.memory;

import java.util.List;

/// The memories of the workspace or workspaces that a caller reads and writes.
public interface ReadCollections {

  /// What is read. Of memories that are found several times the first is taken.
  List<MemoryCollection> all();

  /// What is written.
  ///
  /// @throws dev.agentmemory.types.MemoryException `INVALID_FIELD` when the caller names none of
  ///   several workspaces
  MemoryCollection written();

  /// One workspace.
  static ReadCollections of(MemoryCollection workspace) {
    return new ReadCollections() {
      @Override
      public List<MemoryCollection> all() {
        return List.of(workspace);
      }

      @Override
      public MemoryCollection written() {
        return workspace;
      }
    };
  }
}
