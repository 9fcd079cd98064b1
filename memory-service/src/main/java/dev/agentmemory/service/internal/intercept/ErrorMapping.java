package dev.agentmemory.service.internal.intercept;

import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// Converts every exception to the status of its call, whether a handler throws it or passes it to
/// its observer, or another interceptor throws it.
public final class ErrorMapping implements ServerInterceptor {

  private final Statuses statuses;

  public ErrorMapping(Statuses statuses) {
    this.statuses = statuses;
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    var mapped = new MappedCall<>(call, statuses);
    try {
      return new MappedListener<>(next.startCall(mapped, headers), mapped);
    } catch (RuntimeException | Error failure) {
      mapped.fail(failure);
      return new ServerCall.Listener<>() {};
    }
  }

  private static final class MappedCall<Q, A> extends SimpleForwardingServerCall<Q, A> {

    private final Statuses statuses;
    private final AtomicBoolean closed = new AtomicBoolean();

    MappedCall(ServerCall<Q, A> call, Statuses statuses) {
      super(call);
      this.statuses = statuses;
    }

    @Override
    public void close(Status status, Metadata trailers) {
      Throwable cause = status.getCause();
      if (status.getCode() == Status.Code.UNKNOWN && cause != null) {
        fail(cause);
      } else if (closed.compareAndSet(false, true)) {
        super.close(status, trailers);
      }
    }

    void fail(Throwable failure) {
      if (closed.compareAndSet(false, true)) {
        StatusRuntimeException mapped = statuses.of(failure);
        super.close(mapped.getStatus(), trailers(mapped.getTrailers()));
      }
    }

    private static Metadata trailers(@Nullable Metadata trailers) {
      return trailers == null ? new Metadata() : trailers;
    }
  }

  private static final class MappedListener<Q> extends SimpleForwardingServerCallListener<Q> {

    private final MappedCall<Q, ?> call;
    private int messages;

    /// What the handler would do with the rest of the request must not happen.
    private boolean refused;

    MappedListener(ServerCall.Listener<Q> listener, MappedCall<Q, ?> call) {
      super(listener);
      this.call = call;
    }

    /// @param message null when [StrictRequests] could not parse it
    @Override
    public void onMessage(@Nullable Q message) {
      messages++;
      if (refused) {
        return;
      }
      if (message == null) {
        refuse(
            "malformed request message; strings must be valid UTF-8, and a compressed message gzip"
                + " that is no larger than a message may be; it may have "
                + StrictRequests.MOST_FIELDS
                + " fields at most");
      } else if (messages > 1 && takesOne()) {
        refuse("several request messages; send one");
      } else {
        guarded(() -> super.onMessage(message));
      }
    }

    @Override
    public void onHalfClose() {
      if (messages == 0 && takesOne()) {
        refuse("the call has no request message; send one");
      } else if (!refused) {
        guarded(super::onHalfClose);
      }
    }

    /// gRPC reports another number of messages than the call takes as an error of the daemon.
    private boolean takesOne() {
      return call.getMethodDescriptor().getType().clientSendsOneMessage();
    }

    private void refuse(String problem) {
      refused = true;
      call.fail(new MemoryException(ErrorCode.INVALID_FIELD, problem));
    }

    @Override
    public void onReady() {
      guarded(super::onReady);
    }

    @Override
    public void onCancel() {
      guarded(super::onCancel);
    }

    private void guarded(Runnable step) {
      try {
        step.run();
      } catch (RuntimeException | Error failure) {
        call.fail(failure);
      }
    }
  }
}
