package dev.agentmemory.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EndpointTest {

  @TempDir private Path dir;

  private void daemon(String json) throws IOException {
    Files.writeString(dir.resolve("daemon.json"), json);
  }

  private MemoryException refused() {
    return catchThrowableOfType(MemoryException.class, () -> Endpoint.find(dir));
  }

  @Test
  void find_daemonAndToken_areRead() throws IOException {
    daemon("{\"pid\":1,\"host\":\"127.0.0.1\",\"port\":50051,\"version\":\"0.1.0\",\"new\":[]}");
    Files.writeString(dir.resolve("token"), "secret\n");
    Endpoint endpoint = Endpoint.find(dir);
    assertThat(endpoint).isEqualTo(new Endpoint("127.0.0.1", 50051, Optional.of("secret")));
    assertThat(endpoint.toString()).doesNotContain("secret");
  }

  @Test
  void find_http_isTheSocketIfThereIsOne() throws IOException {
    daemon("{\"host\":\"127.0.0.1\",\"port\":1,\"http_port\":8737}");
    assertThat(Endpoint.find(dir).http()).isEmpty();
    Path socket = Files.createFile(dir.resolve("http.sock"));
    assertThat(Endpoint.find(dir).http()).contains(UnixDomainSocketAddress.of(socket));
  }

  @Test
  void find_grpc_isTheSocketBesideThatOfHttp() throws IOException {
    daemon(
        "{\"host\":\"127.0.0.1\",\"port\":1,\"socket\":\"%s\"}"
            .formatted(dir.resolve("s/http.sock")));
    Files.createFile(Files.createDirectory(dir.resolve("s")).resolve("http.sock"));
    assertThat(Endpoint.find(dir).socket()).contains(dir.resolve("s/grpc.sock"));
  }

  /// The port may be that of another user's program by now.
  @Test
  void find_socketIsGone_isNotReachedOverTcp() throws IOException {
    daemon(
        "{\"host\":\"127.0.0.1\",\"port\":1,\"socket\":\"%s\"}"
            .formatted(dir.resolve("http.sock")));
    MemoryException failure = refused();
    assertThat(failure.code()).isEqualTo(ErrorCode.UNREACHABLE);
    assertThat(failure).hasMessageContaining("is gone").hasMessageContaining("memory start");
  }

  @Test
  void find_noToken_isEmpty() throws IOException {
    daemon("{\"host\":\"127.0.0.1\",\"port\":50051}");
    assertThat(Endpoint.find(dir).token()).isEmpty();
  }

  @Test
  void find_noDaemon_saysHowToStartOne() {
    MemoryException failure = refused();
    assertThat(failure.code()).isEqualTo(ErrorCode.UNREACHABLE);
    assertThat(failure)
        .hasMessage(
            "no daemon runs on " + dir + "; start one with `memory start --data " + dir + "`");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{", "[]", "{\"host\":\"x\"}", "{\"host\":\"x\",\"port\":70000}"})
  void find_brokenFile_saysHowToStartOne(String json) throws IOException {
    daemon(json);
    MemoryException failure = refused();
    assertThat(failure.code()).isEqualTo(ErrorCode.UNREACHABLE);
    assertThat(failure).hasMessageContaining("daemon.json").hasMessageContaining("memory start");
  }
}
