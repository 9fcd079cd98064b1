package dev.agentmemory.engine;

import dev.agentmemory.engine.internal.stores.OpenedStore;
import dev.agentmemory.spi.Mutex;
import java.util.Optional;
import java.util.function.Supplier;

/// The store of what belongs to a person, not to a workspace. It stands beside the workspaces'
/// folder, so no workspace's name leads to it; it is opened when it is first needed.
final class AccountStore implements AutoCloseable {

  private final Supplier<OpenedStore> opener;
  private final Mutex lock = new Mutex();
  private Optional<OpenedStore> store = Optional.empty();

  /// @param opener opens it; is asked again after it has failed
  AccountStore(Supplier<OpenedStore> opener) {
    this.opener = opener;
  }

  /// @throws dev.agentmemory.types.MemoryException when it cannot be opened
  OpenedStore get() {
    try (var _ = lock.hold()) {
      OpenedStore open = store.orElseGet(opener);
      store = Optional.of(open);
      return open;
    }
  }

  @Override
  public void close() {
    try (var _ = lock.hold()) {
      store.ifPresent(open -> open.store().close());
      store = Optional.empty();
    }
  }
}
