package dev.agentmemory.wire;

import dev.agentmemory.api.WorkspaceReport;
import dev.agentmemory.proto.Workspace;
import dev.agentmemory.types.WorkspaceName;
import java.time.Instant;
import java.util.Optional;

/// Maps workspaces.
public final class WorkspaceMessages {

  private WorkspaceMessages() {}

  public static Workspace toWire(WorkspaceReport report) {
    var message =
        Workspace.newBuilder()
            .setName(report.name().value())
            .setOpen(report.open())
            .setDiskBytes(report.diskBytes());
    report.lastUsed().map(Instant::toEpochMilli).ifPresent(message::setLastUsedMs);
    report
        .content()
        .ifPresent(content -> message.setEvents(content.events()).setSessions(content.sessions()));
    report.problem().ifPresent(message::setProblem);
    return message.build();
  }

  /// @throws dev.agentmemory.types.MemoryException `INVALID_FIELD` when the name is not valid
  public static WorkspaceReport fromWire(Workspace message) {
    return new WorkspaceReport(
        WorkspaceName.parse("name", message.getName()),
        message.getOpen(),
        message.hasLastUsedMs()
            ? Optional.of(Instant.ofEpochMilli(message.getLastUsedMs()))
            : Optional.empty(),
        message.hasEvents()
            ? Optional.of(new WorkspaceReport.Content(message.getEvents(), message.getSessions()))
            : Optional.empty(),
        message.getDiskBytes(),
        message.hasProblem() ? Optional.of(message.getProblem()) : Optional.empty());
  }
}
