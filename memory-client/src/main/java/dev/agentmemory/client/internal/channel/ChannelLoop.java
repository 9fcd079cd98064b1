package dev.agentmemory.client.internal.channel;

import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.grpc.netty.shaded.io.netty.util.concurrent.DefaultThreadFactory;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;

/// The thread of a gRPC channel over a Unix socket. The threads that gRPC shares among channels
/// serve TCP only. It uses the JDK's own channels, which each system has.
public final class UnixSocketLoop implements AutoCloseable {

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

  /// A channel to the server that listens on a socket. To be shut down before [#close].
  public NettyChannelBuilder channel(Path socket) {
    return NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(socket))
        // gRPC would take the path for it, which is none.
        .overrideAuthority("localhost")
        .channelType(NioDomainSocketChannel.class, UnixDomainSocketAddress.class)
        .eventLoopGroup(loop);
  }

  @Override
  public void close() {
    var _ = loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
  }
}
