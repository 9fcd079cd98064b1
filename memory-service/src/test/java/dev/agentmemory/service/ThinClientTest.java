package dev.agentmemory.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.client.Deadlines;
import dev.agentmemory.client.Endpoint;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.SessionId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// The client that starts fast says the same as the other one.
final class ThinClientTest extends ClientCallsTest {

  private static final int LARGE = 900_000;

  @Override
  MemoryClient connect(Fixture to) {
    return to.thinClient();
  }

  @Test
  void ingestAndRead_moreThanAWindow_arrivesWhole() {
    try (Fixture fixture = Fixture.open();
        MemoryClient client = fixture.thinClient()) {
      List<Event> large = new ArrayList<>();
      for (int i = 1; i <= 3; i++) {
        large.add(Samples.event(i, Samples.START + i, "ü€".repeat(LARGE / 5)));
        assertThat(client.ingest().append(large.getLast())).isInstanceOf(Receipt.Created.class);
      }
      var from = Instant.ofEpochMilli(Samples.START);
      assertThat(client.events().between(from, from.plusSeconds(1), PageRequest.of(10)).items())
          .containsExactlyElementsOf(large);
    }
  }

  @Test
  void call_refusedWithLongDetails_saysThemAll() {
    try (Fixture fixture = Fixture.open();
        MemoryClient client = fixture.thinClient()) {
      var unknown = new SessionId("ä?%41 ".repeat(36));
      MemoryException failure =
          catchThrowableOfType(MemoryException.class, () -> client.sessions().session(unknown));
      assertThat(failure.code()).isEqualTo(ErrorCode.NOT_FOUND);
      assertThat(failure).hasMessageContaining(unknown.value());
    }
  }

  @Test
  void call_wrongToken_isUnauthenticated() {
    try (Fixture fixture = Fixture.open(config -> RpcConfig.loopback(0, Optional.of("right")))) {
      var endpoint = new Endpoint("127.0.0.1", fixture.server.port(), Optional.of("wrong"));
      try (MemoryClient client = MemoryClient.connectThin(endpoint, Deadlines.DEFAULT)) {
        MemoryException failure =
            catchThrowableOfType(MemoryException.class, client.admin()::status);
        assertThat(failure.code()).isEqualTo(ErrorCode.UNAUTHENTICATED);
      }
      try (MemoryClient client = fixture.thinClient()) {
        assertThat(client.admin().status().version()).isEqualTo("0.1.0");
      }
    }
  }

  @Test
  void call_daemonGoneAndThere_isUnreachableThenAnswered() {
    int port;
    MemoryClient client;
    try (Fixture fixture = Fixture.open()) {
      port = fixture.server.port();
      client = fixture.thinClient();
    }
    try (client) {
      assertThat(client.serving()).isFalse();
      MemoryException failure = catchThrowableOfType(MemoryException.class, client::ping);
      assertThat(failure.code()).isEqualTo(ErrorCode.UNREACHABLE);
      try (Fixture _ = Fixture.open(config -> RpcConfig.loopback(port, Optional.empty()))) {
        client.ping();
        // A server that stops waits for those who are still connected.
        client.close();
      }
    }
  }
}
