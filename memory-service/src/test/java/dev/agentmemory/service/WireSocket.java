package dev.agentmemory.service;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/// Speaks HTTP/2 by hand, so that a test can stop anywhere: in the middle of a frame, or of a
/// message.
final class WireSocket implements AutoCloseable {

  private static final int DATA = 0;
  private static final int HEADERS = 1;
  private static final int SETTINGS = 4;
  private static final int END_STREAM = 1;
  private static final int END_HEADERS = 4;
  private static final int STREAM = 1;

  private final Socket socket;

  /// Connects and opens a call.
  ///
  /// @param method such as `memory.MemoryService/IngestEvent`
  WireSocket(int port, String method) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(10_000);
    socket.setTcpNoDelay(true);
    send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    send(frame(SETTINGS, 0, 0, new byte[0]));
    var headers = new ByteArrayOutputStream();
    header(headers, ":method", "POST");
    header(headers, ":scheme", "http");
    header(headers, ":path", "/" + method);
    header(headers, ":authority", "localhost");
    for (var entry : Map.of("content-type", "application/grpc", "te", "trailers").entrySet()) {
      header(headers, entry.getKey(), entry.getValue());
    }
    send(frame(HEADERS, END_HEADERS, STREAM, headers.toByteArray()));
  }

  /// A literal header that nobody is to remember, without compression.
  private static void header(ByteArrayOutputStream out, String name, String value) {
    out.write(0x10);
    for (String text : new String[] {name, value}) {
      out.write(text.length());
      out.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
    }
  }

  /// A message as gRPC frames it: not compressed, length, bytes.
  static byte[] message(byte[] proto) {
    return ByteBuffer.allocate(5 + proto.length)
        .put((byte) 0)
        .putInt(proto.length)
        .put(proto)
        .array();
  }

  static byte[] data(byte[] payload, boolean last) {
    return frame(DATA, last ? END_STREAM : 0, STREAM, payload);
  }

  private static byte[] frame(int type, int flags, int stream, byte[] payload) {
    return ByteBuffer.allocate(9 + payload.length)
        .put((byte) (payload.length >> 16))
        .putShort((short) payload.length)
        .put((byte) type)
        .put((byte) flags)
        .putInt(stream)
        .put(payload)
        .array();
  }

  void send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    socket.getOutputStream().flush();
  }

  /// Waits until the server has sent an answer's headers.
  void awaitAnswer() throws IOException {
    InputStream in = socket.getInputStream();
    while (true) {
      byte[] head = in.readNBytes(9);
      if (head.length < 9) {
        throw new IOException("the server hung up");
      }
      int length = (head[0] & 0xff) << 16 | (head[1] & 0xff) << 8 | (head[2] & 0xff);
      in.skipNBytes(length);
      if (head[3] == HEADERS) {
        return;
      }
    }
  }

  /// Waits until the server has closed the connection.
  void awaitEnd() throws IOException {
    try {
      while (socket.getInputStream().read() >= 0) {
        // What the server says first.
      }
    } catch (SocketException e) {
      // It was reset.
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
