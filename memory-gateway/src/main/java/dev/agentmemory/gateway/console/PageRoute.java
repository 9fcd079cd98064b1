package dev.agentmemory.gateway.console;

import dev.agentmemory.api.access.Caller;
import dev.agentmemory.gateway.http.Admission;
import dev.agentmemory.gateway.http.ErrorReplies;
import dev.agentmemory.gateway.http.HttpCall;
import dev.agentmemory.gateway.http.HttpReply;
import dev.agentmemory.gateway.http.Route;
import dev.agentmemory.types.ErrorCode;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/// `GET` of files that are the same for everybody, and so need no token.
///
/// @param file the answer
record PageRoute(String prefix, Function<HttpCall, HttpReply> file) implements Route {

  @Override
  public long mostBytes() {
    return 0;
  }

  @Override
  public Admission admission() {
    return Admission.PUBLIC;
  }

  @Override
  public void check(Caller caller) {}

  @Override
  public CompletableFuture<HttpReply> answer(HttpCall call) {
    return CompletableFuture.completedFuture(
        call.method().equals("GET")
            ? file.apply(call)
            : ErrorReplies.of(405, ErrorCode.INVALID_FIELD, "method: only GET is served"));
  }
}
