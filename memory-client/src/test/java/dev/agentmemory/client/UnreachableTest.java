package dev.agentmemory.client;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

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
        case THIN -> MemoryClient.connectThin(endpoint, deadlines);
      };
    }
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

  @Test
  void call_listenerSpeaksAnotherLanguage_isUnreachable() throws Exception {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var endpoint = new Endpoint("127.0.0.1", socket.getLocalPort(), Optional.empty());
      Thread other =
          Thread.ofPlatform()
              .start(() -> {
                try (var asked = socket.accept()) {
                  asked
                      .getOutputStream()
                      .write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(US_ASCII));
                  asked.getInputStream().readAllBytes();
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
      try (MemoryClient client = MemoryClient.connectThin(endpoint, Deadlines.DEFAULT)) {
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
    assertSilenceIsFound(
        client -> client.backups().backup(Path.of("backups"), List.of(), false, step -> {}));
  }

  private static void assertSilenceIsFound(Consumer<MemoryClient> call) throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var endpoint = new Endpoint("127.0.0.1", socket.getLocalPort(), Optional.empty());
      Deadlines patient = Deadlines.DEFAULT.withAlive(Duration.ofMillis(300));
      try (MemoryClient client = MemoryClient.connectThin(endpoint, patient)) {
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
      try (MemoryClient client = MemoryClient.connectThin(endpoint, Deadlines.DEFAULT)) {
        MemoryException failure = catchThrowableOfType(MemoryException.class, client::ping);
        assertThat(failure.code()).isEqualTo(ErrorCode.UNREACHABLE);
        assertThat(failure).hasMessageContaining("was lost before the response");
      }
      other.join();
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
