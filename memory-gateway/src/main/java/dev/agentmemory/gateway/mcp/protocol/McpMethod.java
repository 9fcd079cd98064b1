package dev.agentmemory.gateway.mcp.protocol;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/// A method of a server.
///
/// @param named the parameter whose value the header `Mcp-Name` repeats; empty if the method has
///   none
/// @param cached whether clients of 2026 may keep the result for a while
public record McpMethod(Handler handler, Optional<String> named, boolean cached) {

  /// Answers requests.
  @FunctionalInterface
  public interface Handler {

    /// @return a failure, or an exception, becomes an internal error
    CompletableFuture<McpOutcome> handle(McpRequest request);
  }

  /// One whose result clients may keep.
  static McpMethod list(Handler handler) {
    return new McpMethod(handler, Optional.empty(), true);
  }

  /// One that names what it is about.
  static McpMethod named(String parameter, boolean cached, Handler handler) {
    return new McpMethod(handler, Optional.of(parameter), cached);
  }
}
