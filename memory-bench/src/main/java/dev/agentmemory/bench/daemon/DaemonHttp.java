package dev.agentmemory.bench.daemon;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Where a daemon serves HTTP, and the token that it requires.
public record DaemonHttp(int port, String token) {

  /// @throws IllegalStateException when it serves none
  public static DaemonHttp find(Path data) throws IOException {
    JsonNode file = new ObjectMapper().readTree(data.resolve("daemon.json").toFile());
    int port = file.path("http_port").asInt();
    if (port == 0) {
      throw new IllegalStateException("the daemon serves no HTTP: " + file);
    }
    return new DaemonHttp(port, Files.readString(data.resolve("token")).strip());
  }
}
