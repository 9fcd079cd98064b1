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

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    TokenAuth.caller().requireAll();
    Context named = Context.current().withValue(KEY, WorkspaceGate.asked(headers));
    return Contexts.interceptCall(named, call, headers, next);
  }
}
