package dev.agentmemory.gateway.internal.server;

import dev.agentmemory.api.access.AccessTokens;
import dev.agentmemory.api.access.Caller;
import dev.agentmemory.gateway.http.RefusalReason;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// The checks of every request, before its path is looked at. Host and origin come first: a page in
/// a browser that reaches this port under a name of its own, or posts from its own origin, learns
/// nothing, not even whether a token is right.
final class RequestChecks {

  private static final List<String> NAMES = List.of("127.0.0.1", "localhost", "[::1]");
  private static final String SCHEME = "Bearer ";

  private final Set<String> hosts;
  private final AccessTokens tokens;
  private final boolean bearerOverTcp;

  /// @param port the port of the TCP transport
  /// @param bearerOverTcp whether a token may be sent over it
  RequestChecks(int port, AccessTokens tokens, boolean bearerOverTcp) {
    this.hosts = NAMES.stream().map(name -> name + ":" + port).collect(Collectors.toSet());
    this.tokens = tokens;
    this.bearerOverTcp = bearerOverTcp;
  }

  /// @param hosts all values of the header, and of an absolute request target
  /// @param unix whether it came over the Unix socket, where clients leave the port out
  Optional<Refusal> address(List<String> hosts, List<String> origins, boolean unix) {
    List<String> named = hosts.stream().map(host -> host.toLowerCase(Locale.ROOT)).toList();
    if (named.isEmpty() || !named.stream().allMatch(host -> isOurs(host, unix))) {
      return refused(
          RefusalReason.HOST,
          403,
          ErrorCode.INVALID_FIELD,
          "host: is not an address of this server");
    }
    Set<String> same = named.stream().map(host -> "http://" + host).collect(Collectors.toSet());
    if (origins.size() > 1
        || !origins.stream().allMatch(origin -> same.contains(origin.toLowerCase(Locale.ROOT)))) {
      return refused(
          RefusalReason.ORIGIN,
          403,
          ErrorCode.INVALID_FIELD,
          "origin: pages of other origins are refused");
    }
    return Optional.empty();
  }

  private boolean isOurs(String host, boolean unix) {
    return hosts.contains(host) || (unix && NAMES.contains(host));
  }

  /// @param unix whether the request came over the Unix socket
  /// @throws MemoryException `UNAUTHENTICATED`
  Caller caller(List<String> authorizations, boolean unix) {
    if (!unix && !bearerOverTcp && !isOfConsole(authorizations)) {
      throw new MemoryException(
          ErrorCode.UNAUTHENTICATED,
          "this daemon takes no token over TCP (auth.bearer_over_tcp = refused); use the Unix socket"
              + " http.sock");
    }
    if (authorizations.isEmpty()) {
      throw unauthenticated("the request contains no token");
    }
    if (authorizations.size() > 1) {
      throw unauthenticated("the request contains several tokens");
    }
    return bearer(authorizations)
        .flatMap(tokens::caller)
        .orElseThrow(() -> unauthenticated("the token is wrong"));
  }

  /// Whether a request with a key of the console may do what its method stands for. A page sends
  /// its origin with everything that may change something, and the origin was checked; whoever has
  /// got a key elsewhere does not.
  Optional<Refusal> change(List<String> authorizations, String method, List<String> origins) {
    return !method.equals("GET") && origins.isEmpty() && isOfConsole(authorizations)
        ? refused(
            RefusalReason.ORIGIN,
            403,
            ErrorCode.FORBIDDEN,
            "origin: is missing; with a key of the console, only its pages may change something."
                + " Scripts use a token")
        : Optional.empty();
  }

  private boolean isOfConsole(List<String> authorizations) {
    return authorizations.size() == 1
        && bearer(authorizations).filter(tokens::isConsoleKey).isPresent();
  }

  private static Optional<String> bearer(List<String> authorizations) {
    return Optional.of(authorizations.getFirst())
        .filter(text -> text.regionMatches(true, 0, SCHEME, 0, SCHEME.length()))
        .map(text -> text.substring(SCHEME.length()).strip());
  }

  private static MemoryException unauthenticated(String what) {
    return new MemoryException(
        ErrorCode.UNAUTHENTICATED,
        what
            + "; send the content of the file `token` in the data directory as `authorization:"
            + " Bearer`");
  }

  private static Optional<Refusal> refused(
      RefusalReason reason, int status, ErrorCode code, String message) {
    return Optional.of(new Refusal(reason, status, code, message));
  }
}
