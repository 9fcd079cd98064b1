package dev.agentmemory.recall.memory;

import java.util.Optional;

/// Where the memories of the account are. They have a store of their own, which is made with the
/// first of them.
public interface AccountMemories {

  /// There is no account.
  AccountMemories NONE = of(Optional.empty());

  /// The memories, if the account has any store.
  Optional<MemoryCollection> existing();

  /// The memories, whose store is made if need be; empty when there is no account.
  ///
  /// @throws dev.agentmemory.types.MemoryException when the store cannot be opened
  Optional<MemoryCollection> writable();

  /// Why the memories cannot be read; empty when they can, as far as is known.
  default Optional<String> problem() {
    return Optional.empty();
  }

  /// Those of a store that is open.
  static AccountMemories of(Optional<MemoryCollection> memories) {
    return new AccountMemories() {
      @Override
      public Optional<MemoryCollection> existing() {
        return memories;
      }

      @Override
      public Optional<MemoryCollection> writable() {
        return memories;
      }
    };
  }
}
