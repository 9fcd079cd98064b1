package dev.agentmemory.cli.mcp;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;

/// One HTTP/1.1 request over a Unix socket, on a connection of its own: opening one takes some
/// microseconds, and none can be stale after a restart of the daemon. The JDK's client knows no
/// Unix sockets.
public final class SocketExchange {

  private static final int BUFFER = 1 << 16;

  private SocketExchange() {}

  /// An answer.
  ///
  /// @param body empty if there is none
  // Passed on as it is and never compared.
  @SuppressWarnings("ArrayRecordComponent")
  public record Answer(int status, byte[] body) {}

  /// @throws ConnectException when nothing listens; nothing was sent
  /// @throws IOException when the connection ended before the whole answer came
  public static Answer post(Path socket, String path, Map<String, String> headers, byte[] body)
      throws IOException {
    try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      connect(channel, socket);
      write(channel, head(path, headers, body.length).getBytes(StandardCharsets.ISO_8859_1));
      write(channel, body);
      return answer(readAll(channel));
    }
  }

  private static void connect(SocketChannel channel, Path socket) throws ConnectException {
    try {
      channel.connect(UnixDomainSocketAddress.of(socket));
    } catch (IOException e) {
      var refused = new ConnectException(e.getMessage());
      refused.initCause(e);
      throw refused;
    }
  }

  private static String head(String path, Map<String, String> headers, int length) {
    var head = new StringBuilder("POST ").append(path).append(" HTTP/1.1\r\n");
    head.append("host: localhost\r\nconnection: close\r\ncontent-type: application/json\r\n");
    head.append("accept: application/json\r\ncontent-length: ").append(length).append("\r\n");
    headers.forEach((name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
    return head.append("\r\n").toString();
  }

  private static void write(SocketChannel channel, byte[] bytes) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    while (buffer.hasRemaining()) {
      channel.write(buffer);
    }
  }

  private static byte[] readAll(SocketChannel channel) throws IOException {
    var all = new ByteArrayOutputStream();
    ByteBuffer buffer = ByteBuffer.allocate(BUFFER);
    while (channel.read(buffer) >= 0) {
      all.write(buffer.array(), 0, buffer.position());
      buffer.clear();
    }
    return all.toByteArray();
  }

  private static Answer answer(byte[] all) throws IOException {
    int end = indexOf(all, "\r\n\r\n", 0);
    if (end < 0) {
      throw new IOException("the daemon closed the connection before it answered");
    }
    String head = new String(all, 0, end, StandardCharsets.ISO_8859_1);
    String[] lines = head.split("\r\n", -1);
    byte[] rest = Arrays.copyOfRange(all, end + 4, all.length);
    boolean chunked = false;
    int length = -1;
    for (String line : lines) {
      String lower = line.toLowerCase(Locale.ROOT);
      if (lower.startsWith("transfer-encoding:")) {
        chunked = lower.contains("chunked");
      } else if (lower.startsWith("content-length:")) {
        length = number(lower.substring("content-length:".length()).strip(), 10);
      }
    }
    String[] status = lines[0].split(" ", 3);
    if (status.length < 2) {
      throw new IOException("no answer of HTTP: " + lines[0]);
    }
    return new Answer(number(status[1], 10), body(rest, chunked, length));
  }

  private static byte[] body(byte[] rest, boolean chunked, int length) throws IOException {
    if (chunked) {
      return joined(rest);
    }
    if (length > rest.length) {
      throw new IOException("the daemon closed the connection within its answer");
    }
    return length < 0 ? rest : Arrays.copyOf(rest, length);
  }

  private static byte[] joined(byte[] chunks) throws IOException {
    var body = new ByteArrayOutputStream();
    int at = 0;
    while (true) {
      int end = indexOf(chunks, "\r\n", at);
      if (end < 0) {
        throw new IOException("the daemon closed the connection within its answer");
      }
      String size = new String(chunks, at, end - at, StandardCharsets.ISO_8859_1);
      int length = number(size.split(";", 2)[0].strip(), 16);
      int start = end + 2;
      if (length == 0) {
        return body.toByteArray();
      }
      if (start + length > chunks.length) {
        throw new IOException("the daemon closed the connection within its answer");
      }
      body.write(chunks, start, length);
      at = start + length + 2;
    }
  }

  private static int number(String text, int radix) throws IOException {
    try {
      return Integer.parseInt(text, radix);
    } catch (NumberFormatException e) {
      throw new IOException("no answer of HTTP: " + text, e);
    }
  }

  private static int indexOf(byte[] bytes, String wanted, int from) {
    byte[] pattern = wanted.getBytes(StandardCharsets.ISO_8859_1);
    for (int i = from; i <= bytes.length - pattern.length; i++) {
      if (Arrays.equals(bytes, i, i + pattern.length, pattern, 0, pattern.length)) {
        return i;
      }
    }
    return -1;
  }
}
