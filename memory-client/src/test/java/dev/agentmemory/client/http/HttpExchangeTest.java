package dev.agentmemory.client.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.client.http.HttpExchange.Waiting;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// With servers on a Unix socket that do not behave.
@Timeout(60)
class HttpExchangeTest {

  private static final Duration SHORT = Duration.ofMillis(300);
  private static final Duration LONG = Duration.ofHours(1);
  private static final byte[] MUCH = new byte[4 << 20];

  @TempDir private Path folder;
  private UnixDomainSocketAddress address;
  private ServerSocketChannel server;

  @BeforeEach
  void listen() throws IOException {
    address = UnixDomainSocketAddress.of(folder.resolve("http.sock"));
    server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(address, 1);
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  private HttpAnswer post(Duration alive, Duration call, byte[] body) throws IOException {
    return new HttpExchange(address, new Waiting(alive, call)).post("/rpc/x", Map.of(), body);
  }

  @Test
  void serverThatNeverAnswers_isGivenUpWithoutASignOfLife() {
    assertThatThrownBy(() -> post(SHORT, LONG, new byte[0]))
        .isInstanceOf(SocketTimeoutException.class);
  }

  @Test
  void serverThatNeverAnswers_isGivenUpAfterTheTimeOfTheCall() {
    assertThatThrownBy(() -> post(LONG, SHORT, new byte[0]))
        .isInstanceOf(SocketTimeoutException.class);
  }

  @Test
  void serverThatNeverReads_isGivenUp() {
    assertThatThrownBy(() -> post(SHORT, LONG, MUCH)).isInstanceOf(SocketTimeoutException.class);
  }

  @Test
  void serverWithManyWaitingConnections_refuses() throws IOException {
    List<SocketChannel> waiting = new ArrayList<>();
    try {
      for (int i = 0; i <= 2; i++) {
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        waiting.add(channel);
        channel.configureBlocking(false);
        connectIfPossible(channel);
      }
      assertThatThrownBy(() -> post(SHORT, LONG, new byte[0])).isInstanceOf(ConnectException.class);
    } finally {
      for (SocketChannel channel : waiting) {
        channel.close();
      }
    }
  }

  private void connectIfPossible(SocketChannel channel) {
    try {
      channel.connect(address);
    } catch (IOException e) {
      // The queue is full, as the test wants it.
    }
  }

  @Test
  void serverThatHangsWithinTheAnswer_isGivenUp() throws Exception {
    Thread other = Thread.ofPlatform().start(() -> answerOnce("HTTP/1.1 200 OK\r\n"));
    assertThatThrownBy(() -> post(SHORT, LONG, new byte[0]))
        .isInstanceOf(SocketTimeoutException.class);
    server.close();
    other.join();
  }

  /// The request was sent, so the caller must not take it for one that was not.
  @Test
  void serverThatListensNoMore_isNoRefusedConnection() throws Exception {
    Thread other =
        Thread.ofPlatform()
            .start(() -> {
              try {
                SocketChannel asked = server.accept();
                server.close();
                asked.read(ByteBuffer.allocate(1 << 10));
                asked.read(ByteBuffer.allocate(1));
                asked.close();
              } catch (IOException e) {
                // The test has ended.
              }
            });
    assertThatThrownBy(() -> post(SHORT, LONG, new byte[0]))
        .isInstanceOf(IOException.class)
        .isNotInstanceOf(ConnectException.class);
    other.join();
  }

  @Test
  void nobodyListens_isARefusedConnection() throws IOException {
    server.close();
    assertThatThrownBy(() -> post(SHORT, LONG, new byte[0])).isInstanceOf(ConnectException.class);
  }

  @Test
  void interruptedCaller_doesNotWait() {
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> post(LONG, LONG, new byte[0]))
        .isInstanceOf(ClosedByInterruptException.class);
    assertThat(Thread.interrupted()).isTrue();
  }

  /// Answers one connection and reads it until it is closed; others are never accepted.
  private void answerOnce(String answer) {
    try (SocketChannel asked = server.accept()) {
      asked.write(ByteBuffer.wrap(answer.getBytes(US_ASCII)));
      while (asked.read(ByteBuffer.allocate(1 << 10)) >= 0) {
        // What is sent is of no interest.
      }
    } catch (IOException e) {
      // The test has ended.
    }
  }
}
