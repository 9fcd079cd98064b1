package dev.agentmemory.client;

import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/// Address of a daemon, and the metadata of every call to it.
///
/// @param token the access token; empty when the daemon requires none
/// @param workspace the workspace of the calls; empty for the daemon's default
/// @param http where it serves HTTP; empty for calls over gRPC only
/// @param socket Unix socket on which it serves gRPC; empty for TCP
/// @param trusted PEM file with the certificate of the daemon, or of the authority that signed it;
///   empty for TCP in plain text
public record Endpoint(
    String host,
    int port,
    Optional<String> token,
    Optional<WorkspaceName> workspace,
    Optional<SocketAddress> http,
    Optional<Path> socket,
    Optional<Path> trusted) {

  public Endpoint {
    if (port < 1 || port > 65_535) {
      throw new IllegalArgumentException("port outside 1..65535: " + port);
    }
  }

  /// An endpoint for the daemon's default workspace.
  public Endpoint(String host, int port, Optional<String> token) {
    this(host, port, token, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
  }

  /// This endpoint for another workspace; empty for the daemon's default.
  public Endpoint withWorkspace(Optional<WorkspaceName> name) {
    return new Endpoint(host, port, token, name, http, socket, trusted);
  }

  /// This endpoint with the address of the HTTP server, a Unix socket or one of loopback.
  public Endpoint withHttp(Optional<SocketAddress> address) {
    return new Endpoint(host, port, token, workspace, address, socket, trusted);
  }

  /// This endpoint with the Unix socket of gRPC.
  public Endpoint withSocket(Path path) {
    return new Endpoint(host, port, token, workspace, http, Optional.of(path), trusted);
  }

  /// This endpoint over TLS, as a daemon on another machine needs it. The daemon has to have a
  /// certificate for the host.
  ///
  /// @param certificates PEM file with the certificate of the daemon, or of the authority that
  ///   signed it
  public Endpoint withTls(Path certificates) {
    return new Endpoint(host, port, token, workspace, http, socket, Optional.of(certificates));
  }

  /// Whether it is reached over TCP in plain text. The token is not sent then: both sides prove
  /// that they have it when a connection begins.
  boolean isPlainTcp() {
    return socket.isEmpty() && trusted.isEmpty();
  }

  /// The daemon of a data directory, from the files `daemon.json` and `token` in it. It is reached
  /// over its Unix sockets: after it was killed, another user's program may listen on its ports,
  /// and would get the token and the events. Only a daemon whose file names no socket is reached
  /// over TCP.
  ///
  /// @throws MemoryException `UNREACHABLE` when no daemon runs
  public static Endpoint find(Path dataDir) {
    DaemonFile daemon = daemon(dataDir);
    String host = daemon.host();
    int port = daemon.port();
    if (host.isEmpty() || port < 1 || port > 65_535) {
      throw unreachable(
          "the file daemon.json in " + dataDir + " does not contain host and port", dataDir);
    }
    var endpoint = new Endpoint(host, port, token(dataDir));
    Optional<Path> http = daemon.unixSocket(dataDir);
    if (http.isEmpty() && !daemon.socket().isEmpty()) {
      throw unreachable(
          "the Unix socket that daemon.json in %s names is gone or belongs to another user"
              .formatted(dataDir),
          dataDir);
    }
    return http.map(path ->
            endpoint
                .withHttp(Optional.of(UnixDomainSocketAddress.of(path)))
                .withSocket(path.resolveSibling("grpc.sock")))
        .orElse(endpoint);
  }

  private static DaemonFile daemon(Path dataDir) {
    try {
      return DaemonFile.read(dataDir);
    } catch (NoSuchFileException e) {
      throw unreachable("no daemon runs on " + dataDir, dataDir);
    } catch (IOException e) {
      throw unreachable("the file daemon.json in " + dataDir + " cannot be read", dataDir);
    }
  }

  private static Optional<String> token(Path dataDir) {
    try {
      String token = Files.readString(dataDir.resolve("token")).strip();
      return Optional.of(token).filter(text -> !text.isEmpty());
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new MemoryException(
          ErrorCode.UNAUTHENTICATED,
          "the file token in "
              + dataDir
              + " cannot be read; run the command as the user that owns it",
          e);
    }
  }

  private static MemoryException unreachable(String what, Path dataDir) {
    return new MemoryException(
        ErrorCode.UNREACHABLE, what + "; start one with `memory start --data " + dataDir + "`");
  }

  /// Without the token, which must not end up in logs.
  @Override
  public String toString() {
    return host + ":" + port;
  }
}
