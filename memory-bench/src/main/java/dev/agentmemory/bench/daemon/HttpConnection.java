package dev.agentmemory.bench.daemon;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;

/// A connection to a daemon's HTTP server that stays open. It does nothing but write bytes and read
/// bytes, so that the server is measured. One thread uses it.
public final class HttpConnection implements AutoCloseable {

  private static final int BUFFER = 1 << 16;

  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;
  private final DaemonHttp daemon;

  public HttpConnection(DaemonHttp daemon) throws IOException {
    this.daemon = daemon;
    socket = new Socket(InetAddress.getLoopbackAddress(), daemon.port());
    socket.setTcpNoDelay(true);
    in = new BufferedInputStream(socket.getInputStream(), BUFFER);
    out = socket.getOutputStream();
  }

  /// Sends a request with the daemon's token and waits for the answer.
  ///
  /// @param headers further ones
  /// @return the body of the answer
  /// @throws IllegalStateException when the status is not 200
  public String send(String method, String path, Map<String, String> headers, byte[] body)
      throws IOException {
    var head =
        new StringBuilder("%s %s HTTP/1.1\r\n".formatted(method, path))
            .append("host: 127.0.0.1:%d\r\n".formatted(daemon.port()))
            .append("authorization: Bearer %s\r\n".formatted(daemon.token()))
            .append("content-length: %d\r\n".formatted(body.length));
    if (body.length > 0) {
      head.append("content-type: application/json\r\n");
    }
    headers.forEach((name, value) -> head.append("%s: %s\r\n".formatted(name, value)));
    byte[] first = head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    byte[] all = new byte[first.length + body.length];
    System.arraycopy(first, 0, all, 0, first.length);
    System.arraycopy(body, 0, all, first.length, body.length);
    out.write(all);
    out.flush();
    return answer();
  }

  private String answer() throws IOException {
    int length = 0;
    String status = line();
    for (String line = line(); !line.isEmpty(); line = line()) {
      if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
        length = Integer.parseInt(line.substring("content-length:".length()).strip());
      }
    }
    String body = new String(in.readNBytes(length), StandardCharsets.UTF_8);
    if (!status.contains(" 200 ")) {
      throw new IllegalStateException(status + " " + body);
    }
    return body;
  }

  private String line() throws IOException {
    var line = new StringBuilder();
    int next = in.read();
    while (next >= 0 && next != '\n') {
      line.append((char) next);
      next = in.read();
    }
    return line.toString().strip();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
