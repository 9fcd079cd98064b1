package dev.agentmemory.daemon;

import dev.agentmemory.store.MemoryStore;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/// The store of what belongs to a person, not to a workspace. It stands beside the workspaces'
/// folder, so no workspace's name leads to it; it is opened when it is first needed.
final class AccountStore implements AutoCloseable {

  private final Supplier<MemoryStore> opener;
  private final ReentrantLock lock = new ReentrantLock();
  private Optional<MemoryStore> store = Optional.empty();

  /// @param opener opens it; is asked again after it has failed
  AccountStore(Supplier<MemoryStore> opener) {
    this.opener = opener;
  }

  /// @throws dev.agentmemory.types.MemoryException when it cannot be opened
  MemoryStore get() {
    lock.lock();
    try {
      MemoryStore open = store.orElseGet(opener);
      store = Optional.of(open);
      return open;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      store.ifPresent(MemoryStore::close);
      store = Optional.empty();
    } finally {
      lock.unlock();
    }
  }
}
