package dev.agentmemory.store.registry;

import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.types.WorkspaceName;
import java.util.List;
import java.util.Optional;

/// The stores of workspaces by the names of these, and the store of what belongs to no workspace,
/// the account. All methods but [#open] and [#openAccount] leave stores closed.
public interface StoreRegistry {

  /// The workspaces that have a store, in order.
  ///
  /// @throws dev.agentmemory.types.MemoryException `STORAGE_FAILED` when they cannot be listed
  List<WorkspaceName> names();

  /// Whether a workspace has a store, or had one that was lost.
  boolean has(WorkspaceName name);

  /// Whether anything is in the place of a workspace's store, be it one or not.
  boolean isOccupied(WorkspaceName name);

  /// Opens a store, or makes one. Its note is gone when this returns.
  ///
  /// @throws dev.agentmemory.types.MemoryException when it cannot be opened, see the implementation
  MemoryStore open(WorkspaceName name);

  /// What was recorded when the store was closed; empty when it was not closed cleanly or has been
  /// opened since, so that what is pending in it is unknown.
  Optional<StoreNote> note(WorkspaceName name);

  /// Records something of a store that was closed.
  ///
  /// @throws dev.agentmemory.types.MemoryException `STORAGE_FAILED` when it cannot be written
  void note(WorkspaceName name, StoreNote note);

  /// How much room a store takes, in bytes; 0 when that is not known. May change meanwhile.
  long bytes(WorkspaceName name);

  /// Deletes a store that is closed, or was lost. Once the deletion is decided the workspace has no
  /// store, whatever happens; what a crash leaves of it is deleted at the next start.
  ///
  /// @throws dev.agentmemory.types.MemoryException `STORAGE_FAILED` when something cannot be
  ///   deleted
  void delete(WorkspaceName name);

  /// Whether there is a store of the account.
  boolean hasAccount();

  /// Opens the store of the account, or makes it.
  ///
  /// @throws dev.agentmemory.types.MemoryException as [#open]
  MemoryStore openAccount();
}
