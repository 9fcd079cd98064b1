package dev.agentmemory.gateway.resource;

import dev.agentmemory.api.access.Caller;
import dev.agentmemory.api.access.Role;
import dev.agentmemory.gateway.http.ErrorReplies;
import dev.agentmemory.gateway.http.HttpCall;
import dev.agentmemory.gateway.http.HttpReply;
import dev.agentmemory.gateway.http.Route;
import dev.agentmemory.types.ErrorCode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/// `GET /api/v1/openapi.json`: the description of the operations. It is a resource of this module;
/// a test compares it with the table and the messages.
public record OpenApiRoute() implements Route {

  private static final String FILE = "openapi.json";

  @Override
  public String prefix() {
    return "/api/v1/" + FILE;
  }

  @Override
  public long mostBytes() {
    return 0;
  }

  @Override
  public void check(Caller caller) {
    caller.require(Role.READER);
  }

  @Override
  public CompletableFuture<HttpReply> answer(HttpCall call) {
    return CompletableFuture.completedFuture(
        call.method().equals("GET")
            ? new HttpReply(200, "application/json", file(), Map.of())
            : ErrorReplies.of(405, ErrorCode.INVALID_FIELD, "method: only GET is served")
                .withHeader("Allow", "GET"));
  }

  /// The file.
  public static byte[] file() {
    try (InputStream in = Objects.requireNonNull(OpenApiRoute.class.getResourceAsStream(FILE))) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + FILE + " of the program", e);
    }
  }
}
