package dev.agentmemory.gateway.internal.server;

import dev.agentmemory.gateway.http.ErrorReplies;
import dev.agentmemory.gateway.http.HttpReply;
import dev.agentmemory.gateway.http.RefusalReason;
import dev.agentmemory.gateway.http.RefusedRequests;
import dev.agentmemory.spi.DirectMemoryShortage;
import dev.agentmemory.types.ErrorCode;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/// The answers to what Jetty refuses itself, such as a request that is no HTTP. Jetty's own pages
/// quote the request and can show exceptions.
final class JsonErrors extends ErrorHandler {

  private final RefusedRequests refused;

  JsonErrors(RefusedRequests refused) {
    this.refused = refused;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    HttpReply reply =
        request.getAttribute(ERROR_EXCEPTION) instanceof Throwable failure
                && DirectMemoryShortage.of(failure).isPresent()
            ? ErrorReplies.of(failure)
            : reply(response.getStatus());
    CallHandler.write(reply, response, callback);
    return true;
  }

  private HttpReply reply(int status) {
    if (status >= 500 && status != 505) {
      return ErrorReplies.of(status, ErrorCode.INTERNAL, "internal error in the daemon");
    }
    refused.add(RefusalReason.MALFORMED);
    return ErrorReplies.of(
        Math.max(400, status), ErrorCode.INVALID_FIELD, "the request is not one of HTTP/1.1");
  }
}
