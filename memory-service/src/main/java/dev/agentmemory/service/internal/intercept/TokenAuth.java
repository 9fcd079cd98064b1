package dev.agentmemory.service.internal.intercept;

import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Optional;

/// Checks the daemon's token. Health checks need no token, so that a monitor needs no access to the
/// data.
public final class TokenAuth implements ServerInterceptor {

  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);
  private static final String SCHEME = "Bearer ";
  private static final String OPEN = "grpc.health.v1.Health";

  private final Optional<byte[]> token;

  /// @param token empty to accept all callers
  public TokenAuth(Optional<String> token) {
    this.token = token.map(text -> text.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    if (!OPEN.equals(call.getMethodDescriptor().getServiceName())) {
      Optional<String> header =
          SingleHeader.of(
              headers,
              AUTHORIZATION,
              count -> refused("the header `authorization` is sent " + count + " times"));
      token.ifPresent(expected -> check(expected, header));
    }
    return next.startCall(call, headers);
  }

  private static void check(byte[] expected, Optional<String> sent) {
    String header = sent.orElseThrow(() -> refused("the request contains no token"));
    // Compared in constant time, so that the delay does not show how much of a guess is right.
    if (!header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
        || !MessageDigest.isEqual(
            expected, header.substring(SCHEME.length()).strip().getBytes(StandardCharsets.UTF_8))) {
      throw refused("the token is wrong");
    }
  }

  private static MemoryException refused(String what) {
    return new MemoryException(
        ErrorCode.UNAUTHENTICATED,
        what
            + "; send the content of the file `token` in the data directory as"
            + " `authorization: Bearer`");
  }
}
