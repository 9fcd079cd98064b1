package dev.agentmemory.bench.abuse;

import dev.agentmemory.bench.daemon.DaemonHttp;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/// Connections of TCP that no correct client would use like that.
final class RawConnections implements AutoCloseable {

  private static final int CONNECT_MILLIS = 10_000;
  private static final int SLOW = 60;
  private static final int SLOW_MILLIS = 250;
  private static final int POSTING = 8;
  private static final int MCP_BYTES = (4 << 20) - 256;
  private static final int HOOK_BYTES = 16 << 20;

  private final DaemonHttp http;
  private final AttackTally tally;
  private final Queue<Socket> open = new ConcurrentLinkedQueue<>();
  private volatile boolean over;

  RawConnections(DaemonHttp http, AttackTally tally) {
    this.http = http;
    this.tally = tally;
  }

  /// Connections on which nothing is sent.
  void open(int port, int count) {
    for (int i = 0; i < count; i++) {
      try {
        var _ = connected(port);
        tally.add("connected");
      } catch (IOException e) {
        tally.add("not connected");
      }
    }
  }

  private Socket connected(int port) throws IOException {
    var socket = new Socket();
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_MILLIS);
    open.add(socket);
    return socket;
  }

  /// Heads and bodies that arrive byte by byte.
  void slowly() {
    start(() -> {
      List<Socket> sockets = new ArrayList<>();
      while (!over) {
        for (int i = sockets.size(); i < SLOW; i++) {
          Socket socket = connected(http.port());
          if (i % 2 == 0) {
            socket.getOutputStream().write(head("/mcp", MCP_BYTES));
          }
          sockets.add(socket);
        }
        sockets.removeIf(this::isGone);
        Thread.sleep(SLOW_MILLIS);
      }
    });
  }

  private boolean isGone(Socket socket) {
    try {
      socket.getOutputStream().write('a');
      return false;
    } catch (IOException e) {
      tally.add("closed as slow");
      return true;
    }
  }

  /// Posts one after the other: on half of the connections no answer is read.
  void unreadPosts() {
    byte[] tools =
        body(
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{\"_meta\":{\"a\":\"",
            "\"}}}",
            MCP_BYTES);
    byte[] hook =
        body(
            "{\"session_id\":\"flood\",\"cwd\":\"/nowhere\",\"last_assistant_message\":\"",
            "\"}",
            HOOK_BYTES);
    for (int i = 0; i < POSTING; i++) {
      byte[] body = i % 4 < 2 ? tools : hook;
      String path = i % 4 < 2 ? "/mcp" : "/hooks/claude-code/Stop";
      boolean reads = i % 2 == 0;
      start(() -> {
        while (!over) {
          try (Socket socket = connected(http.port())) {
            if (reads) {
              start(() -> socket.getInputStream().transferTo(OutputStream.nullOutputStream()));
            }
            post(socket, path, body);
          } catch (IOException e) {
            tally.add("closed while it posts to " + path);
          }
        }
      });
    }
  }

  private void post(Socket socket, String path, byte[] body) throws IOException {
    while (!over) {
      socket.getOutputStream().write(head(path, body.length));
      socket.getOutputStream().write(body);
      tally.add("posts to " + path);
    }
  }

  private static byte[] body(String begin, String end, int bytes) {
    return (begin + "word ".repeat((bytes - begin.length() - end.length()) / 5) + end)
        .getBytes(StandardCharsets.UTF_8);
  }

  private byte[] head(String path, int length) {
    return ("POST %s HTTP/1.1\r\nhost: 127.0.0.1:%d\r\nauthorization: Bearer %s\r\n"
                .formatted(path, http.port(), http.token())
            + "content-type: application/json\r\naccept: application/json, text/event-stream\r\n"
            + "content-length: %d\r\n\r\n".formatted(length))
        .getBytes(StandardCharsets.ISO_8859_1);
  }

  private interface Step {
    void run() throws IOException, InterruptedException;
  }

  private void start(Step step) {
    Thread.ofPlatform()
        .daemon()
        .start(() -> {
          try {
            step.run();
          } catch (IOException e) {
            tally.add("failed: " + e.getMessage());
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
  }

  @Override
  public void close() throws IOException {
    over = true;
    for (Socket socket : open) {
      socket.close();
    }
  }
}
