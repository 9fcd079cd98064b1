package dev.agentmemory.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.client.DaemonFile;
import dev.agentmemory.daemon.agent.RawHttp;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The HTTP server of the packaged daemon.
class HttpIT {

  private static final String INITIALIZE =
      "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":"
          + "\"2025-06-18\",\"capabilities\":{},\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}";

  @TempDir private Path folder;

  @Test
  void daemon_servesOverTcpAndItsSocket_andTakesTheSocketAway() throws Exception {
    Path data = folder.resolve("data");
    Path socket;
    try (var daemon = PackagedDaemon.start(data)) {
      DaemonFile file = DaemonFile.read(data);
      socket = Path.of(file.socket());
      assertThat(socket).isEqualTo(data.resolve("http.sock"));
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)))
          .isEqualTo("rw-------");
      servesAll(file, Files.readString(data.resolve("token")).strip());

      PackagedDaemon.Run status = PackagedDaemon.run(data, "status");
      assertThat(status.output()).contains("http://127.0.0.1:" + file.httpPort());
      assertThat(daemon.client.serving()).isTrue();
    }
    assertThat(socket).doesNotExist();
  }

  private static void servesAll(DaemonFile file, String token) throws IOException {
    var tcp = RawHttp.port(file.httpPort());
    var unix = UnixDomainSocketAddress.of(file.socket());
    String host = "host: 127.0.0.1:" + file.httpPort() + "\r\n";
    String bearer = "authorization: Bearer " + token + "\r\n";
    for (SocketAddress address : new SocketAddress[] {tcp, unix}) {
      assertThat(RawHttp.exchange(address, "GET /health", host, ""))
          .contains("{\"status\":\"ok\"}");
      assertThat(RawHttp.exchange(address, "GET /version", host + bearer, ""))
          .contains("\"version\":\"");
      assertThat(RawHttp.exchange(address, "GET /version", host, "")).startsWith("HTTP/1.1 401 ");
      assertThat(
              RawHttp.exchange(
                  address, "POST /mcp", host + "origin: http://example.com\r\n" + bearer, "{}"))
          .startsWith("HTTP/1.1 403 ");
      assertThat(
              RawHttp.exchange(
                  address,
                  "POST /mcp",
                  host
                      + bearer
                      + "content-type: application/json\r\n"
                      + "accept: application/json, text/event-stream\r\n",
                  INITIALIZE))
          .startsWith("HTTP/1.1 200 ")
          .contains("agent-memory");
    }
  }

  @Test
  void dataDirectory_withALongPath_hasItsSocketElsewhere() throws Exception {
    Path data = folder.resolve("x".repeat(100)).resolve("data");
    Path socket;
    try (var daemon = PackagedDaemon.start(data)) {
      DaemonFile file = DaemonFile.read(data);
      socket = Path.of(file.socket());
      assertThat(socket.toString().length()).isLessThanOrEqualTo(100);
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket.getParent())))
          .isEqualTo("rwx------");
      assertThat(
              RawHttp.exchange(
                  UnixDomainSocketAddress.of(socket), "GET /health", "host: localhost\r\n", ""))
          .contains("\"ok\"");
      // It is left behind by a daemon that is killed, and replaced by the next one.
      daemon.kill();
    }
    assertThat(socket).exists();
    try (var daemon = PackagedDaemon.start(data)) {
      assertThat(daemon.client.serving()).isTrue();
      assertThat(
              RawHttp.exchange(
                  UnixDomainSocketAddress.of(socket), "GET /health", "host: localhost\r\n", ""))
          .contains("\"ok\"");
    }
    Files.deleteIfExists(socket.getParent());
  }
}
