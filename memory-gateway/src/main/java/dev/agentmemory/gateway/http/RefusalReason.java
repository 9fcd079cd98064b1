package dev.agentmemory.gateway.http;

/// Why the server did not pass a request on.
public enum RefusalReason {
  /// The `Host` header names another host or port; a page that has rebound its name sends such.
  HOST,
  /// A page of another origin sent it.
  ORIGIN,
  /// No token, a wrong one, several, or one that does not allow the request.
  TOKEN,
  /// No route has the path.
  PATH,
  /// No route has the method.
  METHOD,
  /// The body is larger than its route allows.
  SIZE,
  /// The bodies of other requests, or answers that are not read yet, took all the memory that they
  /// may take.
  MEMORY,
  /// Its connection sent more requests in a second than one may.
  RATE,
  /// Head or body arrived too slowly, so the connection was closed.
  SLOW,
  /// It was no request of HTTP/1.1.
  MALFORMED,
  /// There were too many connections.
  CONNECTIONS
}
