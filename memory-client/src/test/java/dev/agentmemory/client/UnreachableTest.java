package dev.agentmemory.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class UnreachableTest {

  private static final Deadlines SHORT =
      new Deadlines(Duration.ofMillis(300), Duration.ofMillis(300), Duration.ofMillis(300));

  private static MemoryException failure(int port) {
    var endpoint = new Endpoint("127.0.0.1", port, Optional.empty());
    try (MemoryClient client = MemoryClient.connect(endpoint, SHORT)) {
      assertThat(client.serving()).isFalse();
      return catchThrowableOfType(MemoryException.class, client::ping);
    }
  }

  @Test
  void call_nobodyListens_saysHowToStartADaemon() throws IOException {
    int free;
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      free = socket.getLocalPort();
    }
    MemoryException failure = failure(free);
    assertThat(failure.code()).isEqualTo(ErrorCode.UNREACHABLE);
    assertThat(failure)
        .hasMessageContaining("127.0.0.1:" + free)
        .hasMessageContaining("memory start");
  }

  @Test
  void call_listenerSaysNothing_isUnreachableAfterTheDeadline() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      MemoryException failure = failure(socket.getLocalPort());
      assertThat(failure.code()).isEqualTo(ErrorCode.UNREACHABLE);
      assertThat(failure).hasMessageContaining("did not answer in time");
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
