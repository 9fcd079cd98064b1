package dev.agentmemory.service.internal.connection;

import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.ServerChannel;
import io.grpc.netty.shaded.io.netty.channel.epoll.Epoll;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollIoHandler;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollServerSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioServerSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.unix.DomainSocketAddress;
import io.grpc.netty.shaded.io.netty.util.concurrent.DefaultThreadFactory;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/// The threads of the transport: one that accepts connections, and those that serve them. They are
/// the same as gRPC's own ones, which a server with a bound on connections cannot use.
final class EventLoops implements AutoCloseable {

  /// Netty's default: twice the number of processors.
  private static final int BY_DEFAULT = 0;

  private final EventLoopGroup accepting = group(1, "memory-grpc-accept");
  private final EventLoopGroup serving = group(BY_DEFAULT, "memory-grpc");

  private static EventLoopGroup group(int threads, String name) {
    return new MultiThreadIoEventLoopGroup(
        threads,
        new DefaultThreadFactory(name, /* daemon= */ true),
        Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
  }

  EventLoopGroup accepting() {
    return accepting;
  }

  EventLoopGroup serving() {
    return serving;
  }

  /// A channel of TCP that the loops can serve.
  static ServerChannel tcp() {
    return Epoll.isAvailable() ? new EpollServerSocketChannel() : new NioServerSocketChannel();
  }

  /// A channel of a Unix socket that the loops can serve.
  static ServerChannel unixSocket() {
    return Epoll.isAvailable()
        ? new EpollServerDomainSocketChannel()
        : new NioServerDomainSocketChannel();
  }

  /// The address for [#unixSocket].
  static SocketAddress address(Path socket) {
    return Epoll.isAvailable()
        ? new DomainSocketAddress(socket.toFile())
        : UnixDomainSocketAddress.of(socket);
  }

  @Override
  public void close() {
    var _ = accepting.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    var _ = serving.shutdownGracefully(0, 1, TimeUnit.SECONDS);
  }
}
