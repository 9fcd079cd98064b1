package dev.agentmemory.daemon.agent;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/// Requests of HTTP/1.1, byte by byte.
public final class RawHttp {

  private RawHttp() {}

  /// The TCP address of this machine's port.
  public static SocketAddress port(int port) {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  /// Sends a request on a connection of its own.
  ///
  /// @param line the method and the path
  /// @param headers each with its line end
  /// @return the whole answer
  public static String exchange(SocketAddress address, String line, String headers, String body)
      throws IOException {
    try (SocketChannel channel =
        address instanceof UnixDomainSocketAddress
            ? SocketChannel.open(StandardProtocolFamily.UNIX)
            : SocketChannel.open()) {
      channel.connect(address);
      byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
      String text =
          line
              + " HTTP/1.1\r\n"
              + headers
              + "connection: close\r\ncontent-length: "
              + bytes.length
              + "\r\n\r\n"
              + body;
      Channels.newOutputStream(channel).write(text.getBytes(StandardCharsets.UTF_8));
      return new String(Channels.newInputStream(channel).readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
