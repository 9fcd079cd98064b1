package dev.agentmemory.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.agentmemory.api.access.AccessTokens;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.client.Deadlines;
import dev.agentmemory.client.Endpoint;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.SessionId;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
    try (Fixture fixture =
        Fixture.open(config -> RpcConfig.loopback(0, Optional.of(AccessTokens.single("right"))))) {
      var endpoint =
          new Endpoint("127.0.0.1", fixture.server.port(), Optional.of("wrong"))
              .withHttp(Optional.of(UnixDomainSocketAddress.of(fixture.gateway().socket())));
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
  void call_daemonGoneAndThere_isUnreachableThenAnswered(@TempDir Path folder) throws IOException {
    Path socket = Files.createDirectory(folder.resolve("http")).resolve("http.sock");
    MemoryClient client;
    try (Fixture fixture = Fixture.open()) {
      fixture.gateway(socket);
      client = MemoryClient.connectThin(fixture.httpEndpoint(socket), Deadlines.DEFAULT);
      client.ping();
    }
    try (client) {
      assertThat(client.serving()).isFalse();
      MemoryException failure = catchThrowableOfType(MemoryException.class, client::ping);
      assertThat(failure.code()).isEqualTo(ErrorCode.UNREACHABLE);
      Files.createDirectory(folder.resolve("http"));
      try (Fixture fixture = Fixture.open()) {
        fixture.gateway(socket);
        client.ping();
      }
    }
  }

  /// Such a file is what the host sees of a socket in a virtual machine.
  @Test
  void call_ofADaemonWhoseSocketRefuses_goesOverGrpc(@TempDir Path folder) throws IOException {
    Path socket = Files.createFile(folder.resolve("http.sock"));
    try (Fixture fixture = Fixture.open(ConnectionsTest::withToken);
        MemoryClient client =
            MemoryClient.connectThin(fixture.httpEndpoint(socket), Deadlines.DEFAULT)) {
      client.ping();
      fixture.server.serving(true);
      assertThat(client.serving()).isTrue();
    }
  }

  @Test
  void call_ofADaemonWithoutHttp_goesOverGrpc() {
    try (Fixture fixture = Fixture.open();
        MemoryClient client =
            MemoryClient.connectThin(
                new Endpoint("127.0.0.1", fixture.server.port(), Optional.empty()),
                Deadlines.DEFAULT)) {
      client.ping();
      assertThat(client.serving()).isFalse();
    }
  }
}
