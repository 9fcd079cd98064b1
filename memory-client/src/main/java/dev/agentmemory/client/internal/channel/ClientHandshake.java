package dev.agentmemory.client.internal.channel;

import dev.agentmemory.api.access.TokenHash;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.wire.TokenHandshake;
import dev.agentmemory.wire.TokenHandshake.Answer;
import dev.agentmemory.wire.TokenHandshake.Hello;
import dev.agentmemory.wire.TokenHandshake.Side;
import io.grpc.netty.shaded.io.netty.buffer.ByteBuf;
import io.grpc.netty.shaded.io.netty.buffer.ByteBufUtil;
import io.grpc.netty.shaded.io.netty.channel.ChannelDuplexHandler;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandlerContext;
import io.grpc.netty.shaded.io.netty.channel.ChannelPromise;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The client's side of a [TokenHandshake]. To the handlers behind it the channel is connected when
/// both sides have proved that they have the token, and connecting has failed when the other side
/// has not.
final class ClientHandshake extends ChannelDuplexHandler {

  private static final String FOREIGN =
      "has not proved that it is the daemon of this token; nothing was sent to it";

  private final TokenHash token;
  private final Duration timeout;
  private final String nonce = TokenHandshake.nonce();
  private final StringBuilder read = new StringBuilder();

  private @Nullable ChannelPromise connected;
  private String server = "";
  private int port;

  ClientHandshake(TokenHash token, Duration timeout) {
    this.token = token;
    this.timeout = timeout;
  }

  @Override
  public void connect(
      ChannelHandlerContext context,
      SocketAddress remote,
      @Nullable SocketAddress local,
      ChannelPromise promise) {
    connected = promise;
    var address = (InetSocketAddress) remote;
    port = address.getPort();
    server = address.getHostString() + ":" + port;
    var _ =
        context
            .connect(remote, local)
            .addListener(result -> {
              if (!result.isSuccess()) {
                promise.tryFailure(result.cause());
              }
            });
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    send(context, new Hello(TokenHandshake.id(token), nonce).line());
    Future<?> late =
        context
            .executor()
            .schedule(
                () -> fail(context, "has not answered in time; nothing was sent to it"),
                timeout.toMillis(),
                TimeUnit.MILLISECONDS);
    var _ = promise().addListener(_ -> late.cancel(false));
  }

  private ChannelPromise promise() {
    return Objects.requireNonNull(connected, "active before it was connected");
  }

  private static void send(ChannelHandlerContext context, String line) {
    var _ = context.writeAndFlush(ByteBufUtil.writeAscii(context.alloc(), line + "\n"));
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    var bytes = (ByteBuf) message;
    try {
      read.append(bytes.toString(StandardCharsets.US_ASCII));
    } finally {
      bytes.release();
    }
    int end = read.indexOf("\n");
    if (end >= 0) {
      // A daemon waits for the proof before it sends more.
      answered(context, end == read.length() - 1 ? read.substring(0, end) : "");
    } else if (read.length() >= TokenHandshake.MOST_LINE) {
      fail(context, FOREIGN);
    }
  }

  private void answered(ChannelHandlerContext context, String line) {
    switch (line) {
      case TokenHandshake.UNKNOWN_TOKEN ->
          fail(
              context,
              ErrorCode.UNAUTHENTICATED,
              "does not know the token, or knows it no more; nothing was sent to it");
      case TokenHandshake.NO_TOKEN ->
          fail(
              context,
              "needs no token and cannot prove that it is the daemon; call it without a token");
      default -> prove(context, line);
    }
  }

  private void prove(ChannelHandlerContext context, String line) {
    Optional<Answer> answer = Answer.parse(line);
    Optional<TokenHandshake> handshake =
        answer.map(sent -> new TokenHandshake(token, port, nonce, sent.nonce()));
    if (handshake.isEmpty() || !handshake.get().isProof(Side.DAEMON, answer.get().proof())) {
      fail(context, FOREIGN);
      return;
    }
    send(context, handshake.get().proof(Side.CLIENT));
    var _ = promise().trySuccess();
    context.fireChannelActive();
    var _ = context.pipeline().remove(this);
  }

  private void fail(ChannelHandlerContext context, String why) {
    fail(context, ErrorCode.UNREACHABLE, why);
  }

  /// @param why what the other side is or does, after its name
  private void fail(ChannelHandlerContext context, ErrorCode code, String why) {
    var told = new MemoryException(code, "the program at " + server + " " + why);
    // gRPC takes the failure of a connection for one only if it is of this type.
    if (promise().tryFailure(new IOException(told))) {
      var _ = context.close();
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    fail(context, FOREIGN);
    context.fireChannelInactive();
  }
}
