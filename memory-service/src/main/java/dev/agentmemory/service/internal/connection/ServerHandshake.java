package dev.agentmemory.service.internal.connection;

import dev.agentmemory.api.access.AccessTokens;
import dev.agentmemory.api.access.TokenHash;
import dev.agentmemory.wire.TokenHandshake;
import dev.agentmemory.wire.TokenHandshake.Answer;
import dev.agentmemory.wire.TokenHandshake.Hello;
import dev.agentmemory.wire.TokenHandshake.Side;
import io.grpc.netty.shaded.io.netty.buffer.ByteBuf;
import io.grpc.netty.shaded.io.netty.buffer.ByteBufUtil;
import io.grpc.netty.shaded.io.netty.buffer.Unpooled;
import io.grpc.netty.shaded.io.netty.channel.ChannelDuplexHandler;
import io.grpc.netty.shaded.io.netty.channel.ChannelFuture;
import io.grpc.netty.shaded.io.netty.channel.ChannelFutureListener;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandlerContext;
import io.grpc.netty.shaded.io.netty.channel.ChannelPromise;
import io.grpc.netty.shaded.io.netty.channel.PendingWriteQueue;
import io.grpc.netty.shaded.io.netty.handler.codec.ByteToMessageDecoder;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The daemon's side of a [TokenHandshake], if the client begins one; else nothing. HTTP/2 stands
/// behind it in the channel and sends its settings as soon as the channel is open, so what is
/// written is kept until it is known what the client speaks.
final class ServerHandshake extends ChannelDuplexHandler {

  private final AcceptedConnection connection;
  private final OpenConnections connections;
  private final Optional<AccessTokens> tokens;

  private ByteBuf read = Unpooled.EMPTY_BUFFER;
  private @Nullable PendingWriteQueue written;
  private boolean flushed;
  private Optional<TokenHandshake> begun = Optional.empty();

  /// @param tokens empty when callers need none
  ServerHandshake(
      AcceptedConnection connection, OpenConnections connections, Optional<AccessTokens> tokens) {
    this.connection = connection;
    this.connections = connections;
    this.tokens = tokens;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    written = new PendingWriteQueue(context);
  }

  private PendingWriteQueue written() {
    return Objects.requireNonNull(written, "not added to a channel yet");
  }

  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    written().add(message, promise);
  }

  @Override
  public void flush(ChannelHandlerContext context) {
    flushed = true;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    read = ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(context.alloc(), read, (ByteBuf) message);
    if (begun.isEmpty()
        && read.isReadable()
        && read.getByte(read.readerIndex()) != TokenHandshake.NAME.charAt(0)) {
      leave(context);
      return;
    }
    int end = ByteBufUtil.indexOf(Unpooled.wrappedBuffer(new byte[] {'\n'}), read);
    if (end < 0) {
      if (read.readableBytes() >= TokenHandshake.MOST_LINE) {
        refuse();
      }
      return;
    }
    String line =
        read.readCharSequence(end - read.readerIndex(), StandardCharsets.US_ASCII).toString();
    read.skipBytes(1);
    if (begun.isEmpty()) {
      begin(context, line);
    } else if (begun.get().isProof(Side.CLIENT, line)) {
      connections.proved(connection, begun.get().key());
      leave(context);
    } else {
      refuse();
    }
  }

  private void begin(ChannelHandlerContext context, String line) {
    Optional<Hello> hello = Hello.parse(line);
    if (hello.isEmpty() || read.isReadable()) {
      refuse();
      return;
    }
    if (tokens.isEmpty()) {
      end(context, TokenHandshake.NO_TOKEN);
      return;
    }
    Optional<TokenHash> key =
        tokens.get().hashes().stream()
            .filter(hash -> TokenHandshake.id(hash).equals(hello.get().id()))
            .findFirst();
    if (key.isEmpty()) {
      end(context, TokenHandshake.UNKNOWN_TOKEN);
      return;
    }
    int port = ((InetSocketAddress) context.channel().localAddress()).getPort();
    var handshake =
        new TokenHandshake(key.get(), port, hello.get().nonce(), TokenHandshake.nonce());
    begun = Optional.of(handshake);
    var _ = send(context, new Answer(handshake.proof(Side.DAEMON), handshake.daemonNonce()).line());
  }

  private static ChannelFuture send(ChannelHandlerContext context, String line) {
    return context.writeAndFlush(ByteBufUtil.writeAscii(context.alloc(), line + "\n"));
  }

  private static void end(ChannelHandlerContext context, String reason) {
    var _ = send(context, reason).addListener(ChannelFutureListener.CLOSE);
  }

  private void refuse() {
    connections.close(connection, "handshake");
  }

  /// Lets HTTP/2 begin with what was read beyond the handshake.
  private void leave(ChannelHandlerContext context) {
    ByteBuf rest = read;
    read = Unpooled.EMPTY_BUFFER;
    var _ = written().removeAndWriteAll();
    if (flushed) {
      context.flush();
    }
    var _ = context.pipeline().remove(this);
    context.fireChannelRead(rest);
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    read.release();
    written().removeAndFailAll(new ClosedChannelException());
  }
}
