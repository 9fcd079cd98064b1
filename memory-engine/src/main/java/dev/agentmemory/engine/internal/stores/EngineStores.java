package dev.agentmemory.engine.internal.stores;

import dev.agentmemory.api.metrics.EngineMetrics;
import dev.agentmemory.store.registry.StoreRegistry;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;
import java.util.Optional;

/// Opens the stores of an engine, and has what they share.
public interface EngineStores extends AutoCloseable {

  /// The stores as they are found and deleted.
  StoreRegistry registry();

  /// @throws MemoryException when it cannot be opened
  OpenedStore open(WorkspaceName name);

  /// Opens the store that all workspaces share.
  ///
  /// @throws MemoryException when it cannot be opened
  OpenedStore openShared();

  /// @throws MemoryException when it cannot be opened
  OpenedStore openAccount();

  /// Why none of the stores can be used, if that is so.
  Optional<String> problem();

  /// The memory that all stores share.
  EngineMetrics.BlockCache cache();

  /// To be called after the stores were closed.
  @Override
  void close();
}
