package dev.agentmemory.api.encoded;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/// One unary call.
///
/// @param service its full name, such as `memory.MemoryService`
/// @param client the connection that it comes over: calls of several clients share the daemon
/// @param format of the request and of the response
/// @param metadata as gRPC carries it: token and workspace under their names in lower case
/// @param timeout how long the caller waits; empty for as long as a call may take
/// @param message the request. Nobody changes it
// Never compared.
@SuppressWarnings("ArrayRecordComponent")
public record EncodedCall(
    String service,
    String method,
    String client,
    Format format,
    Map<String, String> metadata,
    Optional<Duration> timeout,
    byte[] message) {

  /// How messages are written.
  public enum Format {
    /// The canonical JSON of protobuf, in UTF-8.
    JSON,
    /// The binary format of protobuf.
    PROTOBUF
  }

  public EncodedCall {
    Objects.requireNonNull(service, "service");
    Objects.requireNonNull(method, "method");
    Objects.requireNonNull(client, "client");
    Objects.requireNonNull(format, "format");
    metadata = Map.copyOf(metadata);
    Objects.requireNonNull(timeout, "timeout");
    Objects.requireNonNull(message, "message");
  }
}
