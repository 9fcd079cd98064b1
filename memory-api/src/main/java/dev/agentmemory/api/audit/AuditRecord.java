package dev.agentmemory.api.audit;

import java.time.Instant;

/// An entry of the audit log.
///
/// @param number counts from 1; a gap says that records are missing
/// @param time when it was recorded
public record AuditRecord(long number, Instant time, AuditEntry entry) {}
