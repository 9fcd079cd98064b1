package dev.agentmemory.client.http;

import io.grpc.Deadline;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// One HTTP/1.1 request, on the caller's thread and on a connection of its own: opening one takes
/// some microseconds, and none can be stale after a restart of the daemon. The JDK's client knows
/// no Unix sockets.
///
/// The system accepts the connections of a hanging process and buffers its input. So while an
/// answer takes long, a second connection asks for a sign of life, and no operation blocks.
public final class HttpExchange {

  private static final int BUFFER = 1 << 16;
  private static final int MOST_BYTES = 64 << 20;

  /// The part of the time for the first sign of life in which the answer itself may come.
  private static final int FIRST_PART = 5;

  private static final Duration NEXT_SIGN = Duration.ofSeconds(11);
  private static final Map<String, String> NO_HEADERS = Map.of();

  private final SocketAddress address;
  private final Waiting waiting;

  /// How long to wait for an answer.
  ///
  /// @param alive how long a sign of life may take
  /// @param call how long the answer may take
  public record Waiting(Duration alive, Duration call) {

    /// 5 seconds, an hour.
    public static final Waiting DEFAULT = new Waiting(Duration.ofSeconds(5), Duration.ofHours(1));

    /// For a short call, which ends before a sign of life would be asked for.
    public static Waiting atMost(Duration call) {
      return new Waiting(call.multipliedBy(2L * FIRST_PART), call);
    }
  }

  /// @param address of loopback, or of a Unix socket
  public HttpExchange(SocketAddress address, Waiting waiting) {
    this.address = address;
    this.waiting = waiting;
  }

  /// @param headers those beside host, connection and length
  /// @throws ConnectException when nothing listens, or too many connections wait for a Unix socket;
  ///   nothing was sent
  /// @throws SocketTimeoutException when there is no answer or no sign of life in time
  /// @throws java.net.ProtocolException when the other side does not speak HTTP
  /// @throws IOException when the connection ended before the whole answer came
  public HttpAnswer post(String path, Map<String, String> headers, byte[] body) throws IOException {
    return send(head("POST " + path, headers) + "content-length: " + body.length, body);
  }

  /// Like [#post], without a body.
  public HttpAnswer get(String path) throws IOException {
    return send(head("GET " + path, NO_HEADERS) + "accept: */*", new byte[0]);
  }

  private HttpAnswer send(String head, byte[] body) throws IOException {
    byte[] start = (head + "\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1);
    try (SocketChannel channel = channel();
        Wait wait = new Wait(address, channel, waiting)) {
      connect(channel, wait);
      boolean sent =
          write(channel, ByteBuffer.wrap(start), wait)
              && write(channel, ByteBuffer.wrap(body), wait);
      return HttpAnswer.parse(readAll(channel, sent, wait));
    }
  }

  private SocketChannel channel() throws IOException {
    return address instanceof UnixDomainSocketAddress
        ? SocketChannel.open(StandardProtocolFamily.UNIX)
        : SocketChannel.open();
  }

  private void connect(SocketChannel channel, Wait wait) throws IOException {
    try {
      boolean connected = channel.connect(address);
      while (!connected) {
        wait.until(SelectionKey.OP_CONNECT);
        connected = channel.finishConnect();
      }
    } catch (SocketTimeoutException e) {
      throw e;
    } catch (IOException e) {
      var refused = new ConnectException(e.getMessage());
      refused.initCause(e);
      throw refused;
    }
  }

  private String head(String request, Map<String, String> headers) {
    String port = address instanceof InetSocketAddress tcp ? ":" + tcp.getPort() : "";
    String host = port.isEmpty() ? "localhost" : "127.0.0.1";
    var head = new StringBuilder(request).append(" HTTP/1.1\r\nhost: ").append(host).append(port);
    head.append("\r\nconnection: close\r\n");
    headers.forEach((name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
    return head.toString();
  }

  /// @return false when the other side takes no more: it refuses a large request before it has read
  ///   all, and its answer is there
  private static boolean write(SocketChannel channel, ByteBuffer bytes, Wait wait)
      throws IOException {
    while (bytes.hasRemaining()) {
      int written;
      try {
        written = channel.write(bytes);
      } catch (ClosedChannelException e) {
        throw e;
      } catch (IOException e) {
        return false;
      }
      if (written == 0) {
        wait.until(SelectionKey.OP_WRITE);
      }
    }
    return true;
  }

  /// @param sent whether the whole request was; else the connection may be reset after the answer
  private static byte[] readAll(SocketChannel channel, boolean sent, Wait wait) throws IOException {
    var all = new ByteArrayOutputStream();
    ByteBuffer buffer = ByteBuffer.allocate(BUFFER);
    while (true) {
      int read;
      try {
        read = channel.read(buffer);
      } catch (IOException e) {
        if (sent || all.size() == 0) {
          throw e;
        }
        return all.toByteArray();
      }
      if (read < 0) {
        return all.toByteArray();
      }
      if (read == 0) {
        wait.until(SelectionKey.OP_READ);
      }
      all.write(buffer.array(), 0, buffer.position());
      buffer.clear();
      if (all.size() > MOST_BYTES) {
        throw new IOException("the answer is longer than " + MOST_BYTES + " bytes");
      }
    }
  }

  /// Waits until a channel can be read or written.
  private static final class Wait implements AutoCloseable {

    private final SocketAddress address;
    private final Duration alive;
    private final Deadline deadline;
    private final Selector selector;
    private final SelectionKey key;
    private Deadline sign;
    private Duration signWithin;

    Wait(SocketAddress address, SocketChannel channel, Waiting waiting) throws IOException {
      this.address = address;
      this.alive = waiting.alive();
      this.deadline = after(waiting.call());
      Duration first = alive.dividedBy(FIRST_PART);
      this.sign = after(first);
      this.signWithin = alive.minus(first);
      channel.configureBlocking(false);
      this.selector = channel.provider().openSelector();
      this.key = channel.register(selector, 0);
    }

    private static Deadline after(Duration time) {
      return Deadline.after(time.toNanos(), TimeUnit.NANOSECONDS);
    }

    void until(int operation) throws IOException {
      key.interestOps(operation);
      while (true) {
        if (deadline.isExpired()) {
          throw new SocketTimeoutException("the deadline of the call is exceeded");
        }
        long millis = deadline.minimum(sign).timeRemaining(TimeUnit.MILLISECONDS);
        int ready = selector.select(Math.max(1, millis));
        selector.selectedKeys().clear();
        if (Thread.currentThread().isInterrupted()) {
          throw new ClosedByInterruptException();
        }
        if (ready > 0) {
          return;
        }
        if (sign.isExpired() && !deadline.isExpired()) {
          askForSign();
        }
      }
    }

    private void askForSign() throws IOException {
      Duration left = Duration.ofNanos(deadline.timeRemaining(TimeUnit.NANOSECONDS));
      Duration within = signWithin.compareTo(left) < 0 ? signWithin : left;
      try {
        var _ = new HttpExchange(address, Waiting.atMost(within)).get("/health");
      } catch (ConnectException e) {
        throw new IOException("the daemon does not listen any more", e);
      }
      sign = after(NEXT_SIGN);
      signWithin = alive;
    }

    @Override
    public void close() throws IOException {
      selector.close();
    }
  }
}
