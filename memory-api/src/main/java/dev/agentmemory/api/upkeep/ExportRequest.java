package dev.agentmemory.api.upkeep;

import dev.agentmemory.api.recall.MemoryScope;
import dev.agentmemory.types.SessionId;
import java.util.Optional;

/// What is exported.
///
/// @param session only what comes from this session; empty: of any
/// @param scope only this scope; empty: all
/// @param redact replaces content by its kind, length and a keyed hash
public record ExportRequest(
    Optional<SessionId> session, Optional<MemoryScope> scope, boolean redact) {}
