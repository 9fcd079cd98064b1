package dev.agentmemory.client.internal.http2;

import io.grpc.Deadline;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

/// An HTTP/2 connection (RFC 9113) that makes one exchange after the other, on the caller's thread.
/// After an `IOException` it can only be closed.
///
/// The system accepts the connections of a hanging process and buffers its input. So the other side
/// has to show that it is alive: with its first frame, and with the answer to a ping after a time
/// without data.
public final class Http2Link implements AutoCloseable {

  private static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private static final int DATA = 0;
  private static final int HEADERS = 1;
  private static final int RESET = 3;
  private static final int SETTINGS = 4;
  private static final int PING = 6;
  private static final int GO_AWAY = 7;
  private static final int WINDOW = 8;
  private static final int CONTINUATION = 9;

  private static final int END_STREAM = 0x1;
  private static final int ACK = 0x1;
  private static final int END_HEADERS = 0x4;
  private static final int PADDED = 0x8;
  private static final int PRIORITY = 0x20;
  private static final int PRIORITY_BYTES = 5;

  private static final int TABLE_SIZE = 1;
  private static final int PUSH = 2;
  private static final int INITIAL_WINDOW = 4;
  private static final int MOST_IN_FRAME = 16_384;
  private static final int DEFAULT_WINDOW = 65_535;

  private final Socket socket;
  private final DataInputStream in;
  private final DataOutputStream out;
  private final int mostBytes;
  private final Liveness liveness;
  private final Hpack hpack = new Hpack();

  /// Whether a sign of life is due: at the beginning, and after a ping.
  private boolean signDue = true;

  /// Flow-control windows of the other side: of a new exchange, of the connection, of the current
  /// exchange.
  private int freshWindow = DEFAULT_WINDOW;

  private long linkWindow = DEFAULT_WINDOW;
  private long window;

  private int lastStream = -1;
  private int received;
  private boolean leaving;

  /// The response.
  ///
  /// @param fields headers and trailers
  /// @param reset the error code, when the other side reset the stream
  record Reply(List<HeaderField> fields, ByteBuffer body, OptionalInt reset) {}

  /// When the other side counts as dead.
  ///
  /// @param sign how long a sign of life may take, in milliseconds
  /// @param pingAfter time without data after which a ping is sent, in milliseconds; gRPC servers
  ///   close connections with too frequent pings
  public record Liveness(int sign, int pingAfter) {}

  private Http2Link(Socket socket, int mostBytes, Liveness liveness) throws IOException {
    this.socket = socket;
    this.mostBytes = mostBytes;
    this.liveness = liveness;
    this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), 1 << 14));
    this.out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream(), 1 << 14));
  }

  /// @param mostBytes a longer body ends the exchange
  static Http2Link open(
      InetSocketAddress address, Deadline deadline, int mostBytes, Liveness liveness)
      throws IOException {
    var socket = new Socket();
    try {
      socket.setTcpNoDelay(true);
      socket.connect(address, Math.min(millis(deadline), liveness.sign()));
      var link = new Http2Link(socket, mostBytes, liveness);
      link.greet();
      return link;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  /// Sends the settings: no dynamic table, no server push, and the largest flow-control window.
  private void greet() throws IOException {
    out.write(PREFACE);
    frame(SETTINGS, 0, 0, 18);
    setting(TABLE_SIZE, 0);
    setting(PUSH, 0);
    setting(INITIAL_WINDOW, Integer.MAX_VALUE);
    widen(Integer.MAX_VALUE - DEFAULT_WINDOW);
  }

  private void setting(int name, int value) throws IOException {
    out.writeShort(name);
    out.writeInt(value);
  }

  private void widen(int bytes) throws IOException {
    frame(WINDOW, 0, 0, 4);
    out.writeInt(bytes);
  }

  private void frame(int type, int flags, int stream, int length) throws IOException {
    out.writeInt((length << 8) | type);
    out.writeByte(flags);
    out.writeInt(stream);
  }

  /// Whether another exchange can begin.
  boolean usable() {
    return !leaving;
  }

  Reply exchange(List<HeaderField> fields, byte[] body, Deadline deadline) throws IOException {
    var exchange = new Exchange(lastStream + 2);
    lastStream = exchange.stream;
    window = freshWindow;
    if (received > 0) {
      widen(received);
      received = 0;
    }
    byte[] block = Hpack.encode(fields);
    if (block.length > MOST_IN_FRAME) {
      throw new IOException("the headers of a call are too long");
    }
    frame(HEADERS, END_HEADERS, exchange.stream, block.length);
    out.write(block);
    send(exchange, body, deadline);
    out.flush();
    while (!exchange.over) {
      take(exchange, deadline);
    }
    return new Reply(exchange.fields, ByteBuffer.wrap(exchange.body.toByteArray()), exchange.reset);
  }

  private void send(Exchange exchange, byte[] body, Deadline deadline) throws IOException {
    int sent = 0;
    do {
      while (!exchange.over && sent < body.length && Math.min(window, linkWindow) <= 0) {
        out.flush();
        take(exchange, deadline);
      }
      if (exchange.over) {
        return;
      }
      int most = (int) Math.min(MOST_IN_FRAME, Math.min(window, linkWindow));
      int length = Math.min(most, body.length - sent);
      frame(DATA, sent + length == body.length ? END_STREAM : 0, exchange.stream, length);
      out.write(body, sent, length);
      sent += length;
      window -= length;
      linkWindow -= length;
    } while (!exchange.over && sent < body.length);
  }

  private void take(Exchange exchange, Deadline deadline) throws IOException {
    int head = head(deadline);
    int length = head >>> 8;
    if (length > MOST_IN_FRAME) {
      throw new ProtocolException("the server does not speak HTTP/2");
    }
    int flags = in.readUnsignedByte();
    int stream = in.readInt() & Integer.MAX_VALUE;
    var payload = new byte[length];
    in.readFully(payload);
    switch (head & 0xff) {
      case SETTINGS -> settings(flags, payload);
      case PING -> ping(flags, payload);
      case GO_AWAY -> leaving = true;
      case WINDOW -> widened(stream, exchange, payload);
      case DATA -> {
        received += length;
        if (stream == exchange.stream) {
          exchange.data(flags, payload, mostBytes);
        }
      }
      case HEADERS, CONTINUATION -> exchange.headers(head & 0xff, flags, stream, payload, hpack);
      case RESET -> {
        if (stream == exchange.stream) {
          exchange.reset = OptionalInt.of(number(payload, 0));
          exchange.over = true;
        }
      }
      default -> {
        // RFC 9113: unknown frames are ignored.
      }
    }
  }

  /// The first bytes of the next frame.
  private int head(Deadline deadline) throws IOException {
    while (true) {
      int timeout = signDue ? liveness.sign() : liveness.pingAfter();
      socket.setSoTimeout(Math.min(millis(deadline), timeout));
      in.mark(Integer.BYTES);
      try {
        int head = in.readInt();
        signDue = false;
        return head;
      } catch (SocketTimeoutException e) {
        // The bytes that have arrived are read again.
        in.reset();
        if (signDue) {
          throw new SocketTimeoutException("no response within " + timeout + " ms");
        }
        askForSign();
      }
    }
  }

  private void askForSign() throws IOException {
    signDue = true;
    frame(PING, 0, 0, Long.BYTES);
    out.writeLong(0);
    out.flush();
  }

  private void settings(int flags, byte[] payload) throws IOException {
    if ((flags & ACK) != 0) {
      return;
    }
    for (int at = 0; at + 6 <= payload.length; at += 6) {
      if (((payload[at] << 8) | payload[at + 1]) == INITIAL_WINDOW) {
        int changed = number(payload, at + 2);
        window += changed - freshWindow;
        freshWindow = changed;
      }
    }
    frame(SETTINGS, ACK, 0, 0);
    out.flush();
  }

  private void ping(int flags, byte[] payload) throws IOException {
    if ((flags & ACK) == 0) {
      frame(PING, ACK, 0, payload.length);
      out.write(payload);
      out.flush();
    }
  }

  private void widened(int stream, Exchange exchange, byte[] payload) throws IOException {
    int more = number(payload, 0);
    if (stream == 0) {
      linkWindow += more;
    } else if (stream == exchange.stream) {
      window += more;
    }
  }

  private static int number(byte[] payload, int at) throws IOException {
    if (payload.length < at + 4) {
      throw new IOException("truncated frame");
    }
    return ((payload[at] & 0xff) << 24)
        | ((payload[at + 1] & 0xff) << 16)
        | ((payload[at + 2] & 0xff) << 8)
        | (payload[at + 3] & 0xff);
  }

  private static int millis(Deadline deadline) throws SocketTimeoutException {
    long left = deadline.timeRemaining(TimeUnit.MILLISECONDS);
    if (left <= 0) {
      throw new SocketTimeoutException("the deadline of the call is exceeded");
    }
    return (int) Math.min(Integer.MAX_VALUE, left);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  /// One request and the response so far.
  private static final class Exchange {

    private final int stream;
    private final List<HeaderField> fields = new ArrayList<>();
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private final ByteArrayOutputStream block = new ByteArrayOutputStream();
    private OptionalInt reset = OptionalInt.empty();
    private boolean lastBlock;
    private boolean over;

    Exchange(int stream) {
      this.stream = stream;
    }

    void data(int flags, byte[] payload, int mostBytes) throws IOException {
      int padding = (flags & PADDED) == 0 ? 0 : 1 + (payload[0] & 0xff);
      int from = Math.min(1, padding);
      if (body.size() + payload.length > mostBytes) {
        throw new IOException("the answer is longer than " + mostBytes + " bytes");
      }
      part(body, payload, from, payload.length - padding);
      over |= (flags & END_STREAM) != 0;
    }

    void headers(int type, int flags, int of, byte[] payload, Hpack hpack) throws IOException {
      boolean starts = type == HEADERS;
      int padding = !starts || (flags & PADDED) == 0 ? 0 : 1 + (payload[0] & 0xff);
      int from = Math.min(1, padding) + (starts && (flags & PRIORITY) != 0 ? PRIORITY_BYTES : 0);
      part(block, payload, from, payload.length - padding - (from - Math.min(1, padding)));
      if (starts) {
        lastBlock = (flags & END_STREAM) != 0;
      }
      if ((flags & END_HEADERS) == 0) {
        return;
      }
      List<HeaderField> read = hpack.decode(block.toByteArray());
      block.reset();
      if (of == stream) {
        fields.addAll(read);
        over |= lastBlock;
      }
    }

    private static void part(ByteArrayOutputStream to, byte[] payload, int from, int length)
        throws IOException {
      if (length < 0 || from + length > payload.length) {
        throw new IOException("truncated frame");
      }
      to.write(payload, from, length);
    }
  }
}
