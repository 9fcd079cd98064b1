package dev.agentmemory.daemon;

import dev.agentmemory.api.Version;
import dev.agentmemory.api.access.Caller;
import dev.agentmemory.gateway.http.ErrorReplies;
import dev.agentmemory.gateway.http.HttpCall;
import dev.agentmemory.gateway.http.HttpReply;
import dev.agentmemory.gateway.http.Route;
import dev.agentmemory.types.ErrorCode;
import java.util.concurrent.CompletableFuture;

/// `GET /version`: a client of another version finds out that it is one.
record VersionRoute() implements Route {

  @Override
  public String prefix() {
    return "/version";
  }

  @Override
  public long mostBytes() {
    return 0;
  }

  @Override
  public void check(Caller caller) {}

  @Override
  public CompletableFuture<HttpReply> answer(HttpCall call) {
    return CompletableFuture.completedFuture(
        call.method().equals("GET")
            ? HttpReply.json("{\"version\":\"" + Version.current() + "\"}\n")
            : ErrorReplies.of(405, ErrorCode.INVALID_FIELD, "method: only GET is served"));
  }
}
