package dev.agentmemory.bench.mcp;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// Passes HTTP requests on with further headers: the suite can send neither a token nor a
/// workspace, and the server takes nothing without. Everything else goes through as it came; in
/// Host and Origin only the port of the relay is replaced by that of the server. Each request is a
/// connection of its own.
final class TokenRelay implements AutoCloseable {

  private final ServerSocket server = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final int target;
  private final List<String> headers;

  /// @param target port of 127.0.0.1
  /// @param headers such as `authorization: Bearer x`
  TokenRelay(int target, List<String> headers) throws IOException {
    this.target = target;
    this.headers = List.copyOf(headers);
    threads.execute(this::accept);
  }

  int port() {
    return server.getLocalPort();
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket client = server.accept();
        threads.execute(() -> pass(client));
      } catch (IOException e) {
        return;
      }
    }
  }

  private void pass(Socket client) {
    try (client;
        Socket daemon = new Socket()) {
      daemon.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target));
      InputStream in = client.getInputStream();
      String head = head(in);
      OutputStream out = daemon.getOutputStream();
      out.write(changed(head).getBytes(StandardCharsets.ISO_8859_1));
      out.write(in.readNBytes(length(head)));
      out.flush();
      daemon.getInputStream().transferTo(client.getOutputStream());
    } catch (IOException e) {
      // The suite closes connections whose answers it does not need.
    }
  }

  private String changed(String head) {
    var changed = new StringBuilder();
    head.lines()
        .filter(line -> !line.isEmpty())
        .filter(line -> !line.toLowerCase(Locale.ROOT).startsWith("connection:"))
        .map(line -> line.replace(":" + port(), ":" + target))
        .forEach(line -> changed.append(line).append("\r\n"));
    headers.forEach(line -> changed.append(line).append("\r\n"));
    return changed.append("connection: close\r\n\r\n").toString();
  }

  private static String head(InputStream in) throws IOException {
    var bytes = new ByteArrayOutputStream();
    while (!bytes.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
      int next = in.read();
      if (next < 0) {
        throw new EOFException();
      }
      bytes.write(next);
    }
    return bytes.toString(StandardCharsets.ISO_8859_1);
  }

  private static int length(String head) {
    return head.lines()
        .map(line -> line.toLowerCase(Locale.ROOT))
        .filter(line -> line.startsWith("content-length:"))
        .mapToInt(line -> Integer.parseInt(line.substring("content-length:".length()).strip()))
        .findFirst()
        .orElse(0);
  }

  @Override
  public void close() throws IOException {
    server.close();
    threads.shutdownNow();
  }
}
