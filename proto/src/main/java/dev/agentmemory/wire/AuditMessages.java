package dev.agentmemory.wire;

import dev.agentmemory.api.access.Role;
import dev.agentmemory.api.audit.AuditAct;
import dev.agentmemory.api.audit.AuditActor;
import dev.agentmemory.api.audit.AuditOutcome;
import dev.agentmemory.api.audit.AuditPage;
import dev.agentmemory.api.audit.AuditQuery;
import dev.agentmemory.api.audit.AuditRecord;
import dev.agentmemory.api.page.Page;
import dev.agentmemory.proto.AuditEntry;
import dev.agentmemory.proto.ListAuditRequest;
import dev.agentmemory.proto.ListAuditResponse;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;

/// Maps records of the audit log.
public final class AuditMessages {

  private AuditMessages() {}

  /// The workspace of the query is that of the call.
  public static ListAuditRequest toWire(AuditQuery query) {
    var message =
        ListAuditRequest.newBuilder()
            .setLimit(query.page().limit())
            .setContinuationToken(query.page().token());
    query.since().map(Instant::toEpochMilli).ifPresent(message::setSinceMs);
    return message.build();
  }

  public static ListAuditResponse toWire(AuditPage page) {
    var message =
        ListAuditResponse.newBuilder()
            .addAllEntries(page.records().items().stream().map(AuditMessages::toWire).toList())
            .setUnreadableLines(page.unreadableLines());
    page.records().next().ifPresent(message::setContinuationToken);
    return message.build();
  }

  private static AuditEntry toWire(AuditRecord of) {
    var entry = of.entry();
    var message =
        AuditEntry.newBuilder()
            .setNumber(of.number())
            .setTimeMs(of.time().toEpochMilli())
            .setAct(entry.act().toString())
            .setActor(entry.actor().name())
            .setOutcome(entry.outcome().toString())
            .putAllDetails(entry.details());
    entry.actor().role().map(Role::toString).ifPresent(message::setRole);
    entry.workspace().map(WorkspaceName::value).ifPresent(message::setWorkspace);
    entry.error().ifPresent(message::setError);
    entry.requestId().ifPresent(message::setRequestId);
    return message.build();
  }

  /// @throws MemoryException `UNSUPPORTED_FORMAT` when the daemon knows acts that this program does
  ///   not
  public static AuditPage fromWire(ListAuditResponse message) {
    return new AuditPage(
        new Page<>(
            message.getEntriesList().stream().map(AuditMessages::fromWire).toList(),
            message.getContinuationToken()),
        message.getUnreadableLines());
  }

  private static AuditRecord fromWire(AuditEntry message) {
    var actor =
        new AuditActor(
            message.getActor(),
            message.hasRole() ? Optional.of(role(message.getRole())) : Optional.empty());
    return new AuditRecord(
        message.getNumber(),
        Instant.ofEpochMilli(message.getTimeMs()),
        new dev.agentmemory.api.audit.AuditEntry(
            AuditAct.of(message.getAct()).orElseThrow(() -> unknown("act", message.getAct())),
            actor,
            message.hasWorkspace()
                ? Optional.of(WorkspaceName.parse("workspace", message.getWorkspace()))
                : Optional.empty(),
            AuditOutcome.of(message.getOutcome())
                .orElseThrow(() -> unknown("outcome", message.getOutcome())),
            message.hasError() ? Optional.of(message.getError()) : Optional.empty(),
            message.getDetailsMap(),
            message.hasRequestId() ? Optional.of(message.getRequestId()) : Optional.empty(),
            OptionalLong.empty()));
  }

  private static Role role(String text) {
    return Arrays.stream(Role.values())
        .filter(role -> role.toString().equals(text))
        .findFirst()
        .orElseThrow(() -> unknown("role", text));
  }

  private static MemoryException unknown(String field, String text) {
    return new MemoryException(
        ErrorCode.UNSUPPORTED_FORMAT,
        field + ": `" + text + "` is not known to this program; use that of the daemon's version");
  }
}
