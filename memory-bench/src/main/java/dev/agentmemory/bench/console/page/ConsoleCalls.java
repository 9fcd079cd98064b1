package dev.agentmemory.bench.console.page;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.agentmemory.bench.daemon.DaemonHttp;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;

/// Calls of a daemon in JSON, with its token, as scripts make them.
public final class ConsoleCalls implements AutoCloseable {

  private static final JsonMapper JSON = new JsonMapper();

  private final HttpClient client = HttpClient.newHttpClient();
  private final DaemonHttp http;

  /// An answer.
  ///
  /// @param status of HTTP
  public record Answer(int status, JsonNode body) {

    public boolean isGood() {
      return status == 200;
    }
  }

  private ConsoleCalls(DaemonHttp http) {
    this.http = http;
  }

  /// @param data data directory of a running daemon
  public static ConsoleCalls of(Path data) throws IOException {
    return new ConsoleCalls(DaemonHttp.find(data));
  }

  /// Makes a call.
  ///
  /// @param method such as `memory.MemoryService/GetNode`
  /// @param request is written as JSON; a text is sent as it is
  /// @throws IllegalStateException when it is refused
  public JsonNode call(String method, Object request) throws IOException, InterruptedException {
    Answer answer = attempt(method, request);
    if (!answer.isGood()) {
      throw new IllegalStateException(method + ": " + answer.status() + " " + answer.body());
    }
    return answer.body();
  }

  /// Like [#call]; the daemon may refuse it.
  public Answer attempt(String method, Object request) throws IOException, InterruptedException {
    String body = request instanceof String text ? text : JSON.writeValueAsString(request);
    HttpRequest call =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + http.port() + "/rpc/" + method))
            .header("authorization", "Bearer " + http.token())
            .header("content-type", "application/json")
            .POST(BodyPublishers.ofString(body))
            .build();
    HttpResponse<byte[]> answer;
    try {
      answer = client.send(call, BodyHandlers.ofByteArray());
    } catch (IOException e) {
      // The daemon closes connections that were not used for a while.
      answer = client.send(call, BodyHandlers.ofByteArray());
    }
    return new Answer(answer.statusCode(), JSON.readTree(answer.body()));
  }

  @Override
  public void close() {
    client.close();
  }
}
