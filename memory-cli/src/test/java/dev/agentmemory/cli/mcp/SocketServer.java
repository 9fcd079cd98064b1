package dev.agentmemory.cli.mcp;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/// A real Unix socket that answers requests, in order, with what it was told.
final class SocketServer implements AutoCloseable {

  private final Path path;
  private final ServerSocketChannel server;
  private final Queue<String> requests = new ConcurrentLinkedQueue<>();
  private final Thread thread;

  /// @param answers whole answers of HTTP; "" closes the connection without one
  SocketServer(Path path, List<String> answers) {
    this.path = path;
    try {
      server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
      server.bind(UnixDomainSocketAddress.of(path));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Iterator<String> next = answers.iterator();
    thread = Thread.ofPlatform().daemon().name("socket-server").start(() -> serve(next));
  }

  static String answer(int status, String body) {
    return "HTTP/1.1 %d X\r\nContent-Length: %d\r\nContent-Type: application/json\r\n\r\n%s"
        .formatted(status, body.getBytes(StandardCharsets.UTF_8).length, body);
  }

  private void serve(Iterator<String> answers) {
    while (answers.hasNext()) {
      try (SocketChannel channel = server.accept()) {
        requests.add(request(channel));
        ByteBuffer answer = ByteBuffer.wrap(answers.next().getBytes(StandardCharsets.UTF_8));
        while (answer.hasRemaining()) {
          channel.write(answer);
        }
      } catch (IOException e) {
        return;
      }
    }
  }

  private static String request(SocketChannel channel) throws IOException {
    var all = new ByteArrayOutputStream();
    ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
    while (true) {
      if (channel.read(buffer) < 0) {
        return all.toString(StandardCharsets.UTF_8);
      }
      all.write(buffer.array(), 0, buffer.position());
      buffer.clear();
      String text = all.toString(StandardCharsets.ISO_8859_1);
      int head = text.indexOf("\r\n\r\n");
      if (head >= 0) {
        String length = text.substring(text.indexOf("content-length: ") + 16).split("\r\n", 2)[0];
        if (all.size() >= head + 4 + Integer.parseInt(length)) {
          return all.toString(StandardCharsets.UTF_8);
        }
      }
    }
  }

  /// What came in so far.
  List<String> requests() {
    return List.copyOf(requests);
  }

  @Override
  public void close() throws IOException {
    server.close();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Files.deleteIfExists(path);
  }
}
