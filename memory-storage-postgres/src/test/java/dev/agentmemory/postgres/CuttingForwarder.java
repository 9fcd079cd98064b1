package dev.agentmemory.postgres;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Forwards connections to a server, and cuts one of them at a commit.
final class CuttingForwarder implements AutoCloseable {

  private static final String COMMIT = "COMMIT";

  /// The driver sends the text once for a connection, with a name under which it is asked for then.
  private static final Pattern NAMED = Pattern.compile("(S_\\d+)\0COMMIT\0");

  private final ServerSocket socket;
  private final int server;
  private final AtomicReference<Cut> cut = new AtomicReference<>(Cut.NONE);
  private final CountDownLatch held = new CountDownLatch(1);

  /// Where the next commit is cut.
  enum Cut {
    NONE,
    /// The server never sees it.
    BEFORE,
    /// The server has answered it, and the client does not see the answer.
    AFTER,
    /// The server never sees it, and neither side is told that the connection is gone.
    HELD
  }

  /// @param server the port of the server
  CuttingForwarder(int server) {
    this.server = server;
    try {
      this.socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofPlatform().daemon().start(this::accept);
  }

  int port() {
    return socket.getLocalPort();
  }

  /// Cuts the connection of the next commit.
  void cutNext(Cut next) {
    cut.set(next);
  }

  boolean hasCut() {
    return cut.get() == Cut.NONE;
  }

  private void accept() {
    try {
      while (true) {
        Socket client = socket.accept();
        var behind = new Socket(InetAddress.getLoopbackAddress(), server);
        var answers = new AtomicReference<>(Cut.NONE);
        Thread.ofPlatform().daemon().start(() -> pump(client, behind, answers));
        Thread.ofPlatform().daemon().start(() -> answer(behind, client, answers));
      }
    } catch (IOException e) {
      // It was closed.
    }
  }

  private void pump(Socket client, Socket behind, AtomicReference<Cut> answers) {
    try (client;
        behind) {
      byte[] buffer = new byte[1 << 16];
      String asked = COMMIT;
      InputStream in = client.getInputStream();
      OutputStream out = behind.getOutputStream();
      for (int read = in.read(buffer); read > 0; read = in.read(buffer)) {
        String text = new String(Arrays.copyOf(buffer, read), StandardCharsets.ISO_8859_1);
        if (text.contains(COMMIT) || text.contains(asked)) {
          Cut now = cut.getAndSet(Cut.NONE);
          if (now == Cut.BEFORE) {
            return;
          }
          if (now == Cut.HELD) {
            held.await();
            return;
          }
          answers.set(now);
        }
        Matcher named = NAMED.matcher(text);
        if (named.find()) {
          asked = "\0" + named.group(1) + "\0";
        }
        out.write(buffer, 0, read);
      }
    } catch (IOException | InterruptedException e) {
      // One of both sides has ended.
    }
  }

  private static void answer(Socket behind, Socket client, AtomicReference<Cut> answers) {
    try (behind;
        client) {
      byte[] buffer = new byte[1 << 16];
      InputStream in = behind.getInputStream();
      OutputStream out = client.getOutputStream();
      for (int read = in.read(buffer); read > 0; read = in.read(buffer)) {
        if (answers.get() == Cut.AFTER) {
          return;
        }
        out.write(buffer, 0, read);
      }
    } catch (IOException e) {
      // One of both sides has ended.
    }
  }

  @Override
  public void close() {
    held.countDown();
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
