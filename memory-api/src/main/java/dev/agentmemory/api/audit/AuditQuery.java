package dev.agentmemory.api.audit;

import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.types.WorkspaceName;
import java.time.Instant;
import java.util.Optional;

/// Which records of the audit log are asked for.
///
/// @param workspace only acts on this one; empty for all acts
/// @param since only records of this time or later; empty for all
/// @param page 100 records by default, 1,000 at most
public record AuditQuery(
    Optional<WorkspaceName> workspace, Optional<Instant> since, PageRequest page) {

  /// Everything, from the newest record on.
  public static AuditQuery all() {
    return new AuditQuery(Optional.empty(), Optional.empty(), PageRequest.first());
  }

  public AuditQuery withPage(PageRequest other) {
    return new AuditQuery(workspace, since, other);
  }
}
