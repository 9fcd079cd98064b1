package dev.agentmemory.store.registry;

import java.time.Instant;
import java.util.Optional;

/// What is recorded of a store when it is closed, so that it need not be opened to find out whether
/// work is pending.
///
/// @param lastUsed when a call last used it
/// @param events that it holds
/// @param sessions that it holds
/// @param due when there is work again that no event sets off; empty when there is none
public record StoreNote(
    Optional<Instant> lastUsed, long events, long sessions, Optional<Instant> due) {}
