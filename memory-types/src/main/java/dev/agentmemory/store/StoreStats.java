package dev.agentmemory.store;

/// Counters of a store.
///
/// @param events number of events; an estimate where the engine knows no exact one
/// @param outboxHead the highest outbox sequence given out; 0 when none
/// @param outboxTail the lowest outbox sequence still kept; head + 1 when none is
/// @param dirtyNodes nodes that wait for a rollup, and open segments that wait for their digest
/// @param deadLetters entries that consumers could not apply
/// @param walSyncs how often the write-ahead log was synced to disk since the store was opened
/// @param commits commits answered since the store was opened
/// @param diskBytes size of the store's files, in bytes
public record StoreStats(
    long events,
    long outboxHead,
    long outboxTail,
    long dirtyNodes,
    long deadLetters,
    long walSyncs,
    long commits,
    long diskBytes) {}
