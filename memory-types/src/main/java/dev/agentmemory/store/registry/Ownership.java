package dev.agentmemory.store.registry;

import dev.agentmemory.types.MemoryException;
import java.util.OptionalLong;

/// Whether this process still owns a store that it has opened. What it keeps in memory of a store,
/// such as a search index, is only right while it does.
public interface Ownership {

  /// That of a store that no other process can open.
  Ownership EXCLUSIVE =
      new Ownership() {
        @Override
        public OptionalLong epoch() {
          return OptionalLong.empty();
        }

        @Override
        public boolean isLost() {
          return false;
        }

        @Override
        public void check() {}
      };

  /// Higher with each owner of the store; empty where there is only one.
  OptionalLong epoch();

  /// Whether it is lost for good: the store answers nothing any more and has to be opened again.
  boolean isLost();

  /// @throws MemoryException `NOT_OWNER` when it is lost, `STORAGE_FAILED` while it is unknown,
  ///   because this process has not reached the others for too long
  void check();
}
