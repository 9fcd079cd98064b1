package dev.agentmemory.engine.internal.stores;

import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.store.registry.Ownership;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/// A store that was opened.
///
/// @param ownership whether the store is still this process's
/// @param files links its files into a folder that does not exist, for a backup; empty for a store
///   whose files are not the daemon's
/// @param start begins what the store does by itself, once its workspace is open
public record OpenedStore(
    MemoryStore store, Ownership ownership, Optional<Consumer<Path>> files, Runnable start) {}
