package dev.agentmemory.service;

import dev.agentmemory.api.WorkspaceSource;
import dev.agentmemory.api.WorkspaceSource.Access;
import dev.agentmemory.proto.AdminServiceGrpc;
import dev.agentmemory.proto.IngestServiceGrpc;
import dev.agentmemory.proto.MemoryServiceGrpc;
import dev.agentmemory.proto.RecallServiceGrpc;
import dev.agentmemory.service.internal.intercept.SingleHeader;
import dev.agentmemory.service.internal.intercept.TokenAuth;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/// Acquires the workspace that a call's metadata names, for the duration of the call. A call for an
/// open workspace continues on the transport's thread. One whose workspace has to be opened first
/// waits without a thread.
final class WorkspaceGate implements ServerInterceptor {

  private static final String HEADER = "memory-workspace";
  private static final Metadata.Key<String> WORKSPACE =
      Metadata.Key.of(HEADER, Metadata.ASCII_STRING_MARSHALLER);

  /// Asks for the daemon, not for a workspace, so the answer must not depend on a store.
  private static final String PING = AdminServiceGrpc.getPingMethod().getFullMethodName();

  /// The audit log tells also of workspaces that cannot be opened, or are deleted; what is recorded
  /// of agents does not depend on a workspace.
  private static final Set<String> WITHOUT_STORE =
      Set.of(
          AdminServiceGrpc.getListAuditMethod().getFullMethodName(),
          AdminServiceGrpc.getGetCaptureMethod().getFullMethodName());

  /// The calls that create the workspace that they name. All others require that it exists.
  private static final Set<String> WRITES =
      Set.of(
          MemoryServiceGrpc.getIngestEventMethod().getFullMethodName(),
          IngestServiceGrpc.getIngestStreamMethod().getFullMethodName(),
          IngestServiceGrpc.getIngestBatchMethod().getFullMethodName(),
          RecallServiceGrpc.getRememberMethod().getFullMethodName(),
          RecallServiceGrpc.getCreateChannelMethod().getFullMethodName(),
          RecallServiceGrpc.getStartConversationMethod().getFullMethodName(),
          RecallServiceGrpc.getRecordInjectionMethod().getFullMethodName(),
          RecallServiceGrpc.getWriteScratchpadMethod().getFullMethodName(),
          RecallServiceGrpc.getImportMemoriesMethod().getFullMethodName());

  private final WorkspaceSource workspaces;

  WorkspaceGate(WorkspaceSource workspaces) {
    this.workspaces = workspaces;
  }

  /// The workspace that a call names.
  ///
  /// @throws MemoryException `INVALID_FIELD` when the name is not valid, or there are several
  static Optional<WorkspaceName> asked(Metadata headers) {
    return SingleHeader.of(
            headers,
            WORKSPACE,
            count -> MemoryException.invalid(HEADER, "is sent " + count + " times; send it once"))
        .map(name -> WorkspaceName.parse(HEADER, name));
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    Optional<WorkspaceName> asked = asked(headers);
    String method = call.getMethodDescriptor().getFullMethodName();
    if (PING.equals(method)) {
      return next.startCall(call, headers);
    }
    TokenAuth.caller().require(asked);
    if (WITHOUT_STORE.contains(method)) {
      return RequestedWorkspace.start(asked, call, headers, next);
    }
    Access access = WRITES.contains(method) ? Access.WRITE : Access.READ;
    CompletableFuture<WorkspaceSource.Lease> lease = workspaces.lease(asked, access);
    return lease.isDone() && !lease.isCompletedExceptionally()
        ? LeasedCall.start(lease.join(), call, headers, next)
        : WaitingCall.start(lease, call, headers, next);
  }
}
