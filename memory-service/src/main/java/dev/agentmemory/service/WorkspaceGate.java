package dev.agentmemory.service;

import dev.agentmemory.types.MemoryException;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;

/// Refuses requests for a workspace other than the one there is. Serving them from the default
/// workspace would mix what its sender wants kept apart.
final class WorkspaceGate implements ServerInterceptor {

  private static final String HEADER = "memory-workspace";
  private static final String DEFAULT = "default";
  private static final Metadata.Key<String> WORKSPACE =
      Metadata.Key.of(HEADER, Metadata.ASCII_STRING_MARSHALLER);

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    String workspace = headers.get(WORKSPACE);
    if (workspace != null && !workspace.equals(DEFAULT)) {
      throw MemoryException.invalid(
          HEADER, "workspaces are not available in this version; leave the header out");
    }
    return next.startCall(call, headers);
  }
}
