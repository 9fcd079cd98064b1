package dev.agentmemory.service.internal.intercept;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/// Gives each call an id, which is in the lines of the log that are written while the call is
/// handled. A call that comes over HTTP on the thread of its request keeps the id of the request.
///
/// Streams of a client have none: each of their messages would cost as much as a call.
public final class RequestIds implements ServerInterceptor {

  /// The name in the log.
  private static final String NAME = "request_id";

  private static final Context.Key<String> KEY = Context.key(NAME);

  private final AtomicLong last = new AtomicLong();

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    if (!call.getMethodDescriptor().getType().clientSendsOneMessage()) {
      return next.startCall(call, headers);
    }
    String id = Optional.ofNullable(MDC.get(NAME)).orElseGet(() -> "g" + last.incrementAndGet());
    Context named = Context.current().withValue(KEY, id);
    try (var _ = new Scope(id)) {
      return new NamedListener<>(Contexts.interceptCall(named, call, headers, next), id);
    }
  }

  /// The id of the call that is handled on this thread.
  static Optional<String> current() {
    return Optional.ofNullable(MDC.get(NAME));
  }

  /// Work that a handler passes on to another thread, under the id of the call of this thread.
  public static Runnable named(Runnable work) {
    String id = KEY.get();
    if (id == null) {
      return work;
    }
    return () -> {
      try (var _ = new Scope(id)) {
        work.run();
      }
    };
  }

  /// The time in which the lines of a thread have an id.
  private static final class Scope implements AutoCloseable {

    private final @Nullable String before = MDC.get(NAME);

    Scope(String id) {
      MDC.put(NAME, id);
    }

    @Override
    public void close() {
      if (before == null) {
        MDC.remove(NAME);
      } else {
        MDC.put(NAME, before);
      }
    }
  }

  private static final class NamedListener<Q> extends SimpleForwardingServerCallListener<Q> {

    private final String id;

    NamedListener(ServerCall.Listener<Q> listener, String id) {
      super(listener);
      this.id = id;
    }

    @Override
    public void onMessage(@Nullable Q message) {
      try (var _ = new Scope(id)) {
        super.onMessage(message);
      }
    }

    @Override
    public void onHalfClose() {
      try (var _ = new Scope(id)) {
        super.onHalfClose();
      }
    }

    @Override
    public void onCancel() {
      try (var _ = new Scope(id)) {
        super.onCancel();
      }
    }
  }
}
