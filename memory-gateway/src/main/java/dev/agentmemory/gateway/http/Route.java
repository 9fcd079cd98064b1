package dev.agentmemory.gateway.http;

import dev.agentmemory.api.access.Caller;
import java.util.concurrent.CompletableFuture;

/// Answers the requests whose path begins with a prefix.
///
/// A route is called on a thread of the server and may block it for short work, such as one durable
/// write. Unless it says otherwise, a request needs a token. An exception, thrown or in the future,
/// becomes an error body: that of a `MemoryException` has its code and message, that of any other
/// says only that something failed, and the log has the exception.
public interface Route {

  /// Such as `/hooks/` (everything below it) or `/mcp` (this path only); `/` is this path only. Of
  /// several that match, the longest one is taken.
  String prefix();

  /// The greatest size of a request's body, in bytes. A larger one is refused with 413 before the
  /// route is called.
  long mostBytes();

  /// What a request needs to get here.
  default Admission admission() {
    return Admission.TOKEN;
  }

  /// Refuses callers whose token does not allow any request of the route, before its body is read.
  /// It is not called for requests that need no token.
  ///
  /// @throws dev.agentmemory.types.MemoryException `FORBIDDEN`
  void check(Caller caller);

  CompletableFuture<HttpReply> answer(HttpCall call);
}
