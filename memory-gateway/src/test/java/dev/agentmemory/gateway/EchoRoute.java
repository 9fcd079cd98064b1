package dev.agentmemory.gateway;

import dev.agentmemory.api.access.Caller;
import dev.agentmemory.api.access.Role;
import dev.agentmemory.gateway.http.HttpCall;
import dev.agentmemory.gateway.http.HttpReply;
import dev.agentmemory.gateway.http.Route;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.util.concurrent.CompletableFuture;

/// Answers with what it was called with. Queries `throw`, `error`, `exhausted` and `busy` make it
/// fail.
record EchoRoute(String prefix, long mostBytes) implements Route {

  @Override
  public void check(Caller caller) {
    caller.require(Role.WRITER);
  }

  @Override
  public CompletableFuture<HttpReply> answer(HttpCall call) {
    if (call.query().containsKey("throw")) {
      throw new IllegalStateException("secret in /home/someone/file of dev.agentmemory.Some");
    }
    if (call.query().containsKey("error")) {
      throw new StackOverflowError("secret");
    }
    if (call.query().containsKey("exhausted")) {
      throw new OutOfMemoryError("Cannot reserve 1 bytes of direct buffer memory (limit: 1)");
    }
    if (call.query().containsKey("busy")) {
      return CompletableFuture.failedFuture(
          new MemoryException(ErrorCode.QUEUE_FULL, "too much waits"));
    }
    return CompletableFuture.completedFuture(
        HttpReply.text(
            200,
            "text/plain",
            call.method()
                + " "
                + call.path()
                + " "
                + call.unixSocket()
                + " "
                + call.body().length
                + " "
                + call.header("x-more").orElse("-")));
  }
}
