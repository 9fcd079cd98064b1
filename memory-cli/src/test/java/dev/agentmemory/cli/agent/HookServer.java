package dev.agentmemory.cli.agent;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A stand-in for the daemon on a Unix socket that gives every request the same answer.
final class HookServer implements AutoCloseable {

  private static final Pattern LENGTH = Pattern.compile("(?i)content-length: (\\d+)");

  private final ServerSocketChannel server;
  private final String answer;
  private final Queue<String> requests = new ConcurrentLinkedQueue<>();

  /// @param answer a whole answer of HTTP; "" accepts and never answers
  HookServer(Path socket, String answer) {
    this.answer = answer;
    try {
      server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
      server.bind(UnixDomainSocketAddress.of(socket));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofPlatform().daemon().name("hook-server").start(this::serve);
  }

  static String answer(int status, String body) {
    return "HTTP/1.1 %d X\r\ncontent-length: %d\r\nconnection: close\r\n\r\n%s"
        .formatted(status, body.getBytes(StandardCharsets.UTF_8).length, body);
  }

  private void serve() {
    while (true) {
      try (SocketChannel channel = server.accept()) {
        requests.add(request(channel));
        if (answer.isEmpty()) {
          // Until the client gives up.
          channel.read(ByteBuffer.allocate(1));
        }
        channel.write(ByteBuffer.wrap(answer.getBytes(StandardCharsets.UTF_8)));
      } catch (IOException e) {
        if (!server.isOpen()) {
          return;
        }
      }
    }
  }

  private static String request(SocketChannel channel) throws IOException {
    var all = new ByteArrayOutputStream();
    ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
    while (channel.read(buffer) >= 0) {
      all.write(buffer.array(), 0, buffer.position());
      buffer.clear();
      String text = all.toString(StandardCharsets.ISO_8859_1);
      int head = text.indexOf("\r\n\r\n");
      Matcher length = LENGTH.matcher(text);
      if (head >= 0
          && (!length.find() || all.size() >= head + 4 + Integer.parseInt(length.group(1)))) {
        break;
      }
    }
    return all.toString(StandardCharsets.UTF_8);
  }

  /// What came in so far.
  List<String> requests() {
    return List.copyOf(requests);
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
