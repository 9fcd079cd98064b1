package dev.agentmemory.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.client.Endpoint;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.service.connection.ConnectionLimits;
import dev.agentmemory.service.connection.ConnectionLimits.Unread;
import dev.agentmemory.spi.SocketFile;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// gRPC over a Unix socket.
@Timeout(60)
class UnixSocketTest {

  private static final int MOST = 16;
  private static final int IDLE = 50;
  private static final Duration LONG = Duration.ofMinutes(5);

  @TempDir private Path folder;

  private Fixture fixture() {
    return Fixture.open(config ->
        ConnectionsTest.withToken(config)
            .withConnections(new ConnectionLimits(MOST, LONG, LONG, Unread.DEFAULT))
            .withSocket(new SocketFile(socket())));
  }

  private Path socket() {
    return folder.resolve("grpc.sock");
  }

  /// The port is that of nobody.
  private MemoryClient client(String token) {
    return MemoryClient.connect(
        new Endpoint("127.0.0.1", 1, Optional.of(token)).withSocket(socket()));
  }

  @Test
  void connections_areToldApart_althoughTheyHaveNoAddress() throws IOException {
    List<SocketChannel> idle = new ArrayList<>();
    try (Fixture fixture = fixture();
        MemoryClient first = client("right");
        MemoryClient second = client("right")) {
      first.ping();
      for (int i = 0; i < IDLE; i++) {
        idle.add(SocketChannel.open(UnixDomainSocketAddress.of(socket())));
      }
      second.ping();
      for (SocketChannel oldest : idle.subList(0, IDLE - MOST / 4)) {
        awaitEnd(oldest);
      }
      assertThat(fixture.server.refusedConnections().get("unauthenticated"))
          .isBetween((long) IDLE - MOST / 4, IDLE + 1L - MOST / 4);
      first.ping();
    } finally {
      for (SocketChannel one : idle) {
        one.close();
      }
    }
  }

  @Test
  void connection_beforeItsFirstCall_isNotClosedForThoseOfPorts() throws IOException {
    List<Socket> idle = new ArrayList<>();
    try (Fixture fixture = fixture();
        SocketChannel _ = SocketChannel.open(UnixDomainSocketAddress.of(socket()))) {
      for (int i = 0; i < IDLE; i++) {
        idle.add(new Socket(InetAddress.getLoopbackAddress(), fixture.server.port()));
        idle.getLast().setSoTimeout(20_000);
      }
      // One place of a quarter of the bound is that of the Unix socket.
      for (Socket oldest : idle.subList(0, IDLE - (MOST / 4 - 1))) {
        ConnectionsTest.awaitEnd(oldest);
      }
    } finally {
      for (Socket one : idle) {
        one.close();
      }
    }
  }

  /// Waits for the server to close it.
  private static void awaitEnd(SocketChannel socket) {
    var bytes = ByteBuffer.allocate(1024);
    try {
      while (socket.read(bytes) >= 0) {
        bytes.clear();
      }
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("reset");
    }
  }

  @Test
  void call_withoutTheToken_isRefused() {
    try (Fixture _ = fixture();
        MemoryClient client = client("wrong")) {
      assertThatThrownBy(client::ping)
          .isInstanceOfSatisfying(
              MemoryException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAUTHENTICATED));
    }
  }

  @Test
  void file_isTheOwnersAlone_andGoneAfterwards() throws IOException {
    try (Fixture _ = fixture()) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket())))
          .isEqualTo("rw-------");
    }
    assertThat(socket()).doesNotExist();
  }

  @Test
  void file_ofAProcessThatWasKilled_isReplaced() throws IOException {
    try (var former = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      former.bind(UnixDomainSocketAddress.of(socket()));
    }
    assertThat(socket()).exists();
    try (Fixture _ = fixture();
        MemoryClient client = client("right")) {
      client.ping();
    }
  }

  @Test
  void file_thatIsNoSocket_isLeftAlone() throws IOException {
    Files.writeString(socket(), "mine");
    assertThatThrownBy(this::fixture)
        .isInstanceOf(MemoryException.class)
        .hasMessageContaining("cannot listen on the Unix socket " + socket())
        .hasMessageContaining("it is not a socket");
    assertThat(socket()).hasContent("mine");
  }
}
