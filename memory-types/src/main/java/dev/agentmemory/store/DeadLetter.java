package dev.agentmemory.store;

import java.time.Instant;

/// An outbox entry that a consumer could not apply. It is kept, shown and can be tried again.
///
/// @param error what went wrong, fit to be shown
/// @param attempts how often it was tried
public record DeadLetter(
    String consumer, OutboxEntry entry, String error, int attempts, Instant parkedAt) {}
