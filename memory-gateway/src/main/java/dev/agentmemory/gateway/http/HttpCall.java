package dev.agentmemory.gateway.http;

import dev.agentmemory.api.access.Caller;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// One request that passed the checks of host, origin, token and size.
///
/// @param method in capitals, as it was sent
/// @param path decoded, beginning with `/`, without the query
/// @param query decoded parameters, each of which was sent once
/// @param header the value of a header, whatever the case of its name. Headers of the daemon and of
///   MCP, and `content-type`, were sent once; of several others with one name it is the first
/// @param body all of it; empty if there is none. Nobody changes it
/// @param unixSocket whether it came over the Unix socket
/// @param caller whose token it carries; null for a request that needs none
/// @param connection over which it came, by a name of its own
// Never compared.
@SuppressWarnings("ArrayRecordComponent")
public record HttpCall(
    String method,
    String path,
    Map<String, String> query,
    Function<String, Optional<String>> header,
    byte[] body,
    boolean unixSocket,
    @Nullable Caller caller,
    String connection) {

  public HttpCall {
    Objects.requireNonNull(method, "method");
    Objects.requireNonNull(path, "path");
    query = Map.copyOf(query);
    Objects.requireNonNull(header, "header");
    Objects.requireNonNull(body, "body");
    Objects.requireNonNull(connection, "connection");
  }

  /// A request of the owner of the data directory, over no connection.
  public HttpCall(
      String method,
      String path,
      Map<String, String> query,
      Function<String, Optional<String>> header,
      byte[] body,
      boolean unixSocket) {
    this(method, path, query, header, body, unixSocket, Caller.OWNER, "");
  }

  /// Whose token the request carries.
  ///
  /// @throws MemoryException `UNAUTHENTICATED` for a request that needs no token
  @Override
  public Caller caller() {
    if (caller == null) {
      throw new MemoryException(ErrorCode.UNAUTHENTICATED, "the request contains no token");
    }
    return caller;
  }

  /// The value of the header `name`.
  public Optional<String> header(String name) {
    return header.apply(name);
  }

  /// The body as text; bytes that are not UTF-8 become U+FFFD.
  public String text() {
    return new String(body, StandardCharsets.UTF_8);
  }
}
