package dev.agentmemory.cli.console;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.agentmemory.client.Endpoint;
import dev.agentmemory.client.http.HttpAnswer;
import dev.agentmemory.client.http.HttpExchange;
import dev.agentmemory.client.http.HttpExchange.Waiting;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/// What the daemon answers to the question for a way into the console.
///
/// @param file its name in the data directory
/// @param seconds for which it is good
record EntryAnswer(String file, long seconds) {

  private static final Duration MOST = Duration.ofSeconds(5);
  private static final int OK = 200;
  private static final int NOT_FOUND = 404;

  /// @throws MemoryException when the daemon refuses it, or serves no console
  static EntryAnswer ask(Endpoint daemon) throws IOException {
    Map<String, String> headers = new HashMap<>();
    daemon.token().ifPresent(token -> headers.put("authorization", "Bearer " + token));
    daemon.workspace().ifPresent(name -> headers.put("memory-workspace", name.value()));
    HttpAnswer answer =
        new HttpExchange(daemon.http().orElseThrow(EntryAnswer::older), Waiting.atMost(MOST))
            .post("/console/code", headers, new byte[0]);
    if (answer.status() == NOT_FOUND) {
      throw older();
    }
    JsonNode json = new JsonMapper().readTree(answer.body());
    if (answer.status() != OK) {
      throw new MemoryException(
          ErrorCode.FORBIDDEN,
          json.path("error").path("message").asText("the daemon refuses to open the console"));
    }
    return new EntryAnswer(json.path("file").asText(), json.path("seconds").asLong());
  }

  private static MemoryException older() {
    return new MemoryException(
        ErrorCode.UNSUPPORTED_FORMAT,
        "the daemon has no console; stop it and start it again with this version");
  }
}
