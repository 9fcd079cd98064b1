package dev.agentmemory.service;

import dev.agentmemory.service.internal.intercept.TokenAuth;
import dev.agentmemory.types.WorkspaceName;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import java.util.Optional;

/// Provides the workspace that a call names to handlers that are not bound to one.
final class RequestedWorkspace implements ServerInterceptor {

  private static final Context.Key<Optional<WorkspaceName>> KEY =
      Context.keyWithDefault("memory-workspace", Optional.empty());

  /// The workspace named by the call of the current thread.
  static Optional<WorkspaceName> get() {
    return KEY.get();
  }

  /// Starts a call whose handler is told the workspace.
  static <Q, A> ServerCall.Listener<Q> start(
      Optional<WorkspaceName> asked,
      ServerCall<Q, A> call,
      Metadata headers,
      ServerCallHandler<Q, A> next) {
    return Contexts.interceptCall(Context.current().withValue(KEY, asked), call, headers, next);
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    TokenAuth.caller().requireAll();
    return start(WorkspaceGate.asked(headers), call, headers, next);
  }
}
