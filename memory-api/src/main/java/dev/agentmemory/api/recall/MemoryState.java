package dev.agentmemory.api.recall;

import java.time.Instant;

/// A former state of a memory.
///
/// @param until when an update replaced it
/// @param reason what replaced it: `update`, `merge`, `promotion`, `supersession`, `import` or
///   `undo`
public record MemoryState(MemoryRecord memory, Instant until, String reason) {}
