package dev.agentmemory.service.internal.intercept;

import dev.agentmemory.api.audit.AuditAct;
import dev.agentmemory.api.audit.AuditActor;
import dev.agentmemory.api.audit.AuditEntry;
import dev.agentmemory.api.audit.AuditTrail;
import dev.agentmemory.types.WorkspaceName;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.util.Optional;

/// Records the calls that are administrative acts ([MethodActs]), whoever makes them and over which
/// protocol.
public final class AuditedCalls implements ServerInterceptor {

  private static final Metadata.Key<String> WORKSPACE =
      Metadata.Key.of("memory-workspace", Metadata.ASCII_STRING_MARSHALLER);

  private final AuditTrail trail;
  private final boolean needsToken;

  /// @param needsToken whether callers have to send a token
  public AuditedCalls(AuditTrail trail, boolean needsToken) {
    this.trail = trail;
    this.needsToken = needsToken;
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    Optional<AuditAct> act = MethodActs.of(call.getMethodDescriptor().getFullMethodName());
    if (act.isEmpty()) {
      return next.startCall(call, headers);
    }
    var audited = new AuditedCall(trail, entry(act.get(), headers));
    Context context = Context.current().withValue(AuditedCall.KEY, audited);
    return new SimpleForwardingServerCallListener<>(
        Contexts.interceptCall(context, new Answered<>(call, audited), headers, next)) {

      @Override
      public void onMessage(Q message) {
        audited.requested(message);
        super.onMessage(message);
      }
    };
  }

  private AuditEntry entry(AuditAct act, Metadata headers) {
    AuditEntry entry =
        AuditEntry.begin(act, needsToken ? AuditActor.of(TokenAuth.caller()) : AuditActor.ANYONE);
    AuditEntry named = RequestIds.current().map(entry::withRequestId).orElse(entry);
    // A name that is not valid is refused where the workspace is looked for.
    return Optional.ofNullable(headers.get(WORKSPACE))
        .flatMap(WorkspaceName::of)
        .map(named::withWorkspace)
        .orElse(named);
  }

  private static final class Answered<Q, A> extends SimpleForwardingServerCall<Q, A> {

    private final AuditedCall audited;

    Answered(ServerCall<Q, A> call, AuditedCall audited) {
      super(call);
      this.audited = audited;
    }

    @Override
    public void sendMessage(A message) {
      audited.answered(message);
      super.sendMessage(message);
    }

    @Override
    public void close(Status status, Metadata trailers) {
      audited.ended(status);
      super.close(status, trailers);
    }
  }
}
