package dev.agentmemory.service.internal.intercept;

import dev.agentmemory.api.access.AccessTokens;
import dev.agentmemory.api.access.Caller;
import dev.agentmemory.api.access.TokenHash;
import dev.agentmemory.service.internal.connection.OpenConnections;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import java.util.Optional;

/// Checks the token of a call, which the call carries or with which its connection began, and that
/// its role allows the method. Which workspaces it is for is checked where the call's workspace is
/// known. Health checks need no token, so that a monitor needs no access to the data.
public final class TokenAuth implements ServerInterceptor {

  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);
  private static final String SCHEME = "Bearer ";
  private static final String OPEN = "grpc.health.v1.Health";
  private static final Context.Key<Caller> CALLER =
      Context.keyWithDefault("memory-caller", Caller.OWNER);

  private final Optional<AccessTokens> tokens;
  private final boolean bearer;
  private final MethodRoles roles = new MethodRoles();

  /// @param tokens empty to accept all callers
  /// @param bearer whether a call over TCP in plain text may carry a token
  public TokenAuth(Optional<AccessTokens> tokens, boolean bearer) {
    this.tokens = tokens;
    this.bearer = bearer;
  }

  /// Whose token the call of the current thread carries. To be asked for before the handler runs.
  public static Caller caller() {
    return CALLER.get();
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    if (OPEN.equals(call.getMethodDescriptor().getServiceName())) {
      return next.startCall(call, headers);
    }
    Optional<String> header =
        SingleHeader.of(
            headers,
            AUTHORIZATION,
            count -> refused("the header `authorization` is sent " + count + " times"));
    Caller caller = tokens.map(known -> caller(known, header)).orElse(Caller.OWNER);
    if (caller.equals(Caller.OWNER)) {
      return next.startCall(call, headers);
    }
    caller.require(roles.of(call.getMethodDescriptor().getFullMethodName()));
    return Contexts.interceptCall(Context.current().withValue(CALLER, caller), call, headers, next);
  }

  private Caller caller(AccessTokens known, Optional<String> sent) {
    Optional<TokenHash> proven = OpenConnections.proven();
    if (sent.isEmpty() && proven.isPresent()) {
      // It may have been revoked since.
      return known
          .caller(proven.get())
          .orElseThrow(() -> refused("the token is not valid any more"));
    }
    if (!bearer && OpenConnections.isPlainTcp()) {
      throw new MemoryException(
          ErrorCode.UNAUTHENTICATED,
          "this daemon takes no token over TCP (auth.bearer_over_tcp = refused); use the Unix socket"
              + " grpc.sock, or begin the connection with the handshake");
    }
    String header = sent.orElseThrow(() -> refused("the request contains no token"));
    return Optional.of(header)
        .filter(text -> text.regionMatches(true, 0, SCHEME, 0, SCHEME.length()))
        .flatMap(text -> known.caller(text.substring(SCHEME.length()).strip()))
        .orElseThrow(() -> refused("the token is wrong"));
  }

  private static MemoryException refused(String what) {
    return new MemoryException(
        ErrorCode.UNAUTHENTICATED,
        what
            + "; send the content of the file `token` in the data directory as"
            + " `authorization: Bearer`");
  }
}
