package dev.agentmemory.api.audit;

import dev.agentmemory.api.page.Page;

/// A page of the audit log.
///
/// @param records the newest first
/// @param unreadableLines lines between these records, or before the newest one, that cannot be
///   read, such as one that a crash cut off; 0 for a query about one workspace
public record AuditPage(Page<AuditRecord> records, long unreadableLines) {}
