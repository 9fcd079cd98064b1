package dev.agentmemory.engine;

import dev.agentmemory.storage.RocksStore;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/// The store of what belongs to a person, not to a workspace. It stands beside the workspaces'
/// folder, so no workspace's name leads to it; it is opened when it is first needed.
final class AccountStore implements AutoCloseable {

  private final Supplier<RocksStore> opener;
  private final ReentrantLock lock = new ReentrantLock();
  private Optional<RocksStore> store = Optional.empty();

  /// @param opener opens it; is asked again after it has failed
  AccountStore(Supplier<RocksStore> opener) {
    this.opener = opener;
  }

  /// @throws dev.agentmemory.types.MemoryException when it cannot be opened
  RocksStore get() {
    lock.lock();
    try {
      RocksStore open = store.orElseGet(opener);
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
      store.ifPresent(RocksStore::close);
      store = Optional.empty();
    } finally {
      lock.unlock();
    }
  }
}
