package dev.agentmemory.daemon.memory;

import dev.agentmemory.api.access.Caller;
import dev.agentmemory.gateway.http.HttpCall;
import dev.agentmemory.gateway.http.HttpReply;
import dev.agentmemory.gateway.http.Route;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/// A route whose requests are refused, with a delay after which they can be sent again, while
/// memory is short.
///
/// @param isShort whether it is
public record GuardedRoute(Route route, BooleanSupplier isShort) implements Route {

  @Override
  public String prefix() {
    return route.prefix();
  }

  @Override
  public long mostBytes() {
    return route.mostBytes();
  }

  @Override
  public boolean takesRawPath() {
    return route.takesRawPath();
  }

  @Override
  public void check(Caller caller) {
    route.check(caller);
  }

  @Override
  public CompletableFuture<HttpReply> answer(HttpCall call) {
    return isShort.getAsBoolean()
        ? CompletableFuture.failedFuture(
            new MemoryException(
                ErrorCode.QUEUE_FULL, "the daemon is near its memory.ceiling; try again later"))
        : route.answer(call);
  }
}
