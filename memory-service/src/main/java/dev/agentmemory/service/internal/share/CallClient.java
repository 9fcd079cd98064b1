package dev.agentmemory.service.internal.share;

import io.grpc.Context;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/// Who makes calls: one connection of gRPC or HTTP. It is not the token, because the programs of a
/// user send the same one.
public final class CallClient {

  private static final CallClient UNKNOWN = new CallClient();
  private static final Context.Key<CallClient> KEY =
      Context.keyWithDefault("memory-client", UNKNOWN);

  /// Streams in progress.
  public final AtomicInteger streams = new AtomicInteger();

  /// Bytes of requests that are not complete or not answered.
  public final AtomicLong requestBytes = new AtomicLong();

  /// Bytes of events that came over streams and are not stored yet.
  public final AtomicLong streamBytes = new AtomicLong();

  private volatile BooleanSupplier stopped = () -> false;

  private volatile boolean overflown;

  /// Notes that an answer of it had no room.
  public void overflows() {
    overflown = true;
  }

  /// Notes that there is room for answers again.
  public void fits() {
    overflown = false;
  }

  /// Whether an answer of it had no room, and there has been none since.
  public boolean hasOverflown() {
    return overflown;
  }

  /// @param condition while it holds, calls that begin to be served are refused
  public void stopWhile(BooleanSupplier condition) {
    stopped = condition;
  }

  /// Whether calls of this client are refused for now, because it does not read the answers.
  public boolean isStopped() {
    return stopped.getAsBoolean();
  }

  /// The client of the call of this thread. Calls that came over no connection have one together.
  public static CallClient current() {
    return KEY.get();
  }

  /// @return a context in which this is the current one
  public Context in(Context context) {
    return context.withValue(KEY, this);
  }
}
