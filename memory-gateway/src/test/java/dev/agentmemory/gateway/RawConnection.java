package dev.agentmemory.gateway;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/// A connection that sends exactly the given bytes.
public final class RawConnection implements AutoCloseable {

  private final SocketChannel channel;
  private final InputStream in;
  private final OutputStream out;

  private RawConnection(SocketChannel channel) {
    this.channel = channel;
    this.in = Channels.newInputStream(channel);
    this.out = Channels.newOutputStream(channel);
  }

  public static RawConnection tcp(int port) throws IOException {
    return new RawConnection(
        SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)));
  }

  public static RawConnection unix(Path socket) throws IOException {
    SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
    channel.connect(UnixDomainSocketAddress.of(socket));
    return new RawConnection(channel);
  }

  public RawConnection send(String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8));
    out.flush();
    return this;
  }

  /// Everything until the other side closes; a reset counts as that.
  public String rest() {
    var all = new ByteArrayOutputStream();
    try {
      in.transferTo(all);
    } catch (IOException e) {
      // The other side has closed it before it has read all.
    }
    return all.toString(StandardCharsets.UTF_8);
  }

  /// Waits for the first byte of an answer and reads no further.
  public RawConnection begun() throws IOException {
    if (in.read() < 0) {
      throw new IOException("the connection was closed without an answer");
    }
    return this;
  }

  /// The answer to one request of a connection that stays open.
  public String answer() throws IOException {
    var text = new StringBuilder();
    while (text.indexOf("\r\n\r\n") < 0) {
      int next = in.read();
      if (next < 0) {
        return text.toString();
      }
      text.append((char) next);
    }
    String head = text.toString();
    int length =
        head.toLowerCase(java.util.Locale.ROOT)
            .lines()
            .filter(line -> line.startsWith("content-length:"))
            .mapToInt(line -> Integer.parseInt(line.substring(15).strip()))
            .findFirst()
            .orElse(0);
    return head + new String(in.readNBytes(length), StandardCharsets.UTF_8);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
