package dev.agentmemory.client.internal.channel;

import dev.agentmemory.api.access.TokenHash;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioSocketChannel;
import io.grpc.netty.shaded.io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;

/// The thread of a gRPC channel whose connections are not as gRPC makes them: those of Unix
/// sockets, and those of TCP that begin with a handshake. It uses the JDK's own channels, which
/// each system has.
public final class ChannelLoop implements AutoCloseable {

  /// Warns for each connection that a Unix socket has no option of TCP, which gRPC sets. The field
  /// prevents that the logger is garbage collected, which would reset the level.
  private static final Logger CONNECTING =
      Logger.getLogger("io.grpc.netty.shaded.io.netty.bootstrap");

  static {
    CONNECTING.setLevel(Level.SEVERE);
  }

  private final EventLoopGroup loop =
      new MultiThreadIoEventLoopGroup(
          1,
          new DefaultThreadFactory("memory-client", /* daemon= */ true),
          NioIoHandler.newFactory());

  /// A channel to the server that listens on a Unix socket. To be shut down before [#close].
  public NettyChannelBuilder unixSocket(Path socket) {
    return NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(socket))
        // gRPC would take the path for it, which is none.
        .overrideAuthority("localhost")
        .channelType(NioDomainSocketChannel.class, UnixDomainSocketAddress.class)
        .eventLoopGroup(loop);
  }

  /// A channel of TCP on which nothing is sent before both sides have proved that they have a
  /// token; the token itself is never sent. To be shut down before [#close].
  ///
  /// @param timeout of the proof
  public NettyChannelBuilder proven(InetSocketAddress address, TokenHash token, Duration timeout) {
    return NettyChannelBuilder.forAddress(address)
        .channelFactory(() -> {
          var connection = new NioSocketChannel();
          connection.pipeline().addFirst(new ClientHandshake(token, timeout));
          return connection;
        })
        .eventLoopGroup(loop);
  }

  @Override
  public void close() {
    var _ = loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
  }
}
