package dev.agentmemory.client;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.agentmemory.api.Backups;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
class UnreachableTest {

  private static final Deadlines SHORT =
      new Deadlines(
          Duration.ofMillis(300),
          Duration.ofMillis(300),
          Duration.ofMillis(300),
          Duration.ofMillis(300));

  /// Both have to say the same.
  enum Kind {
    FULL,
    THIN;

    MemoryClient connect(Endpoint endpoint, Deadlines deadlines) {
      return switch (this) {
        case FULL -> MemoryClient.connect(endpoint, deadlines);
        case THIN -> MemoryClient.connectThin(overHttp(endpoint), deadlines);
      };
    }
  }

  /// The same address serves both protocols, as far as these tests are concerned.
  private static Endpoint overHttp(Endpoint endpoint) {
    return endpoint.withHttp(
        Optional.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), endpoint.port())));
  }

  private static MemoryException failure(Kind kind, int port) {
    var endpoint = new Endpoint("127.0.0.1", port, Optional.empty());
    try (MemoryClient client = kind.connect(endpoint, SHORT)) {
      assertThat(client.serving()).isFalse();
      return catchThrowableOfType(MemoryException.class, client::ping);
    }
  }

  @ParameterizedTest
  @EnumSource
  void call_nobodyListens_saysHowToStartADaemon(Kind kind) throws IOException {
    int free;
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      free = socket.getLocalPort();
    }
    MemoryException failure = failure(kind, free);
    assertThat(failure.code()).isEqualTo(ErrorCode.UNREACHABLE);
    assertThat(failure)
        .hasMessageContaining("127.0.0.1:" + free)
        .hasMessageContaining("memory start");
  }

  @ParameterizedTest
  @EnumSource
  void call_listenerSaysNothing_isUnreachableAfterTheDeadline(Kind kind) throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      MemoryException failure = failure(kind, socket.getLocalPort());
      assertThat(failure.code()).isEqualTo(ErrorCode.UNREACHABLE);
      assertThat(failure).hasMessageContaining("did not answer in time");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 400 Bad Request\r\n\r\n",
        "HTTP/1.1 500 Failed\r\ncontent-length: 2\r\n\r\n{}",
        "HTTP/1.1 404 Not Found\r\n\r\n<html></html>",
        "220 mail.example.com\r\n\r\n"
      })
  void call_listenerIsNoDaemon_isUnreachable(String reply) throws Exception {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var endpoint = new Endpoint("127.0.0.1", socket.getLocalPort(), Optional.empty());
      Thread other =
          Thread.ofPlatform()
              .start(() -> {
                try (var asked = socket.accept()) {
                  asked.getOutputStream().write(reply.getBytes(US_ASCII));
                  asked.shutdownOutput();
                  asked.getInputStream().readAllBytes();
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
      try (MemoryClient client = MemoryClient.connectThin(overHttp(endpoint), Deadlines.DEFAULT)) {
        MemoryException failure = catchThrowableOfType(MemoryException.class, client::ping);
        assertThat(failure.code()).isEqualTo(ErrorCode.UNREACHABLE);
        assertThat(failure).hasMessageContaining("is not an agent-memory daemon");
      }
      other.join();
    }
  }

  /// Otherwise it would find out after a minute.
  @Test
  void stream_listenerSaysNothing_isUnreachableBeforeItIsOpened() throws IOException {
    assertSilenceIsFound(client -> client.openStream(ack -> {}));
  }

  @Test
  void backup_listenerSaysNothing_isUnreachableBeforeItBegins() throws IOException {
    assertSilenceIsFound(client ->
        client
            .backups()
            .backup(Backups.Target.of(Path.of("backups")), List.of(), false, step -> {}));
  }

  private static void assertSilenceIsFound(Consumer<MemoryClient> call) throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var endpoint = new Endpoint("127.0.0.1", socket.getLocalPort(), Optional.empty());
      Deadlines patient = Deadlines.DEFAULT.withAlive(Duration.ofMillis(300));
      try (MemoryClient client = MemoryClient.connectThin(overHttp(endpoint), patient)) {
        MemoryException failure =
            catchThrowableOfType(MemoryException.class, () -> call.accept(client));
        assertThat(failure.code()).isEqualTo(ErrorCode.UNREACHABLE);
        assertThat(failure).hasMessageContaining("did not answer in time");
      }
    }
  }

  @Test
  void call_connectionBreaksBeforeTheAnswer_saysSo() throws Exception {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var endpoint = new Endpoint("127.0.0.1", socket.getLocalPort(), Optional.empty());
      Thread other =
          Thread.ofPlatform()
              .start(() -> {
                try (var asked = socket.accept()) {
                  asked.shutdownOutput();
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
      try (MemoryClient client = MemoryClient.connectThin(overHttp(endpoint), Deadlines.DEFAULT)) {
        MemoryException failure = catchThrowableOfType(MemoryException.class, client::ping);
        assertThat(failure.code()).isEqualTo(ErrorCode.UNREACHABLE);
        assertThat(failure).hasMessageContaining("was lost before the response");
      }
      other.join();
    }
  }

  /// A daemon may work for an hour. Only one that also answers no health check is given up.
  @Test
  void longCall_listenerAnswersHealthChecksOnly_isWaitedFor() throws Exception {
    Deadlines patient =
        new Deadlines(
            Duration.ofMillis(300),
            Duration.ofMillis(300),
            Duration.ofMillis(1500),
            Duration.ofMillis(300));
    Thread other;
    try (var socket = new ServerSocket(0, 9, InetAddress.getLoopbackAddress())) {
      var health = new AtomicInteger();
      other = Thread.ofPlatform().start(() -> answerHealthChecks(socket, health));
      var endpoint = new Endpoint("127.0.0.1", socket.getLocalPort(), Optional.empty());
      try (MemoryClient client = MemoryClient.connectThin(overHttp(endpoint), patient)) {
        MemoryException failure =
            catchThrowableOfType(MemoryException.class, () -> client.jobs().run("any"));
        assertThat(failure).hasMessageContaining("did not answer in time");
        assertThat(health).hasValue(1);
      }
    }
    other.join();
  }

  // An open connection is kept in a list, or it would be garbage.
  @SuppressWarnings("ModifiedButNotUsed")
  private static void answerHealthChecks(ServerSocket socket, AtomicInteger count) {
    List<Socket> unanswered = new ArrayList<>();
    try {
      while (true) {
        Socket asked = socket.accept();
        var reader = new BufferedReader(new InputStreamReader(asked.getInputStream(), US_ASCII));
        if (reader.readLine().startsWith("GET /health ")) {
          count.incrementAndGet();
          asked.getOutputStream().write("HTTP/1.1 200 OK\r\n\r\n{}".getBytes(US_ASCII));
          asked.close();
        } else {
          unanswered.add(asked);
        }
      }
    } catch (IOException e) {
      // The test has ended.
    }
  }

  @Test
  void stream_nobodyListens_failsOnSendOrClose() throws IOException {
    int free;
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      free = socket.getLocalPort();
    }
    var endpoint = new Endpoint("127.0.0.1", free, Optional.empty());
    try (MemoryClient client = MemoryClient.connect(endpoint, SHORT)) {
      IngestStream stream = client.openStream(ack -> {});
      MemoryException failure = catchThrowableOfType(MemoryException.class, stream::close);
      assertThat(failure.code()).isEqualTo(ErrorCode.UNREACHABLE);
    }
  }
}
