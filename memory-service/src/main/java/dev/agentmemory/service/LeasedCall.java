package dev.agentmemory.service;

import dev.agentmemory.api.WorkspaceSource;
import io.grpc.Context;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;

/// A call with a lease on its workspace, which stays open until the call has ended. A handler runs
/// when the call starts (for a stream) or when the request is complete (for a single request); at
/// both times the workspace is set.
final class LeasedCall<Q> extends SimpleForwardingServerCallListener<Q> {

  private final Context context;
  private final WorkspaceSource.Lease lease;

  private LeasedCall(ServerCall.Listener<Q> handler, Context context, WorkspaceSource.Lease lease) {
    super(handler);
    this.context = context;
    this.lease = lease;
  }

  static <Q, A> ServerCall.Listener<Q> start(
      WorkspaceSource.Lease lease,
      ServerCall<Q, A> call,
      Metadata headers,
      ServerCallHandler<Q, A> next) {
    Context context = CallMemory.with(lease);
    Context before = context.attach();
    try {
      return new LeasedCall<>(next.startCall(call, headers), context, lease);
    } catch (RuntimeException | Error e) {
      lease.close();
      throw e;
    } finally {
      context.detach(before);
    }
  }

  @Override
  public void onHalfClose() {
    Context before = context.attach();
    try {
      super.onHalfClose();
    } finally {
      context.detach(before);
    }
  }

  @Override
  public void onCancel() {
    try {
      super.onCancel();
    } finally {
      lease.close();
    }
  }

  @Override
  public void onComplete() {
    try {
      super.onComplete();
    } finally {
      lease.close();
    }
  }
}
