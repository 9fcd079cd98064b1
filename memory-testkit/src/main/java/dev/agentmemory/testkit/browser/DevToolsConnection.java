package dev.agentmemory.testkit.browser;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The debugging protocol of a browser: calls by number, and events of each tab.
final class DevToolsConnection implements AutoCloseable {

  private static final long DEADLINE_SECONDS = 60;
  private static final JsonMapper JSON = new JsonMapper();

  private final HttpClient client;
  private final AtomicInteger number = new AtomicInteger();
  private final Map<Integer, CompletableFuture<JsonNode>> calls = new ConcurrentHashMap<>();
  private final Map<String, List<Consumer<JsonNode>>> listeners = new ConcurrentHashMap<>();
  private @Nullable WebSocket socket;

  private DevToolsConnection(HttpClient client) {
    this.client = client;
  }

  static DevToolsConnection open(URI address) {
    var connection = new DevToolsConnection(HttpClient.newHttpClient());
    connection.socket =
        connection
            .client
            .newWebSocketBuilder()
            .buildAsync(address, connection.new Messages())
            .orTimeout(DEADLINE_SECONDS, TimeUnit.SECONDS)
            .join();
    return connection;
  }

  /// Calls a function for all events of a session.
  void listen(String session, Consumer<JsonNode> listener) {
    listeners.computeIfAbsent(session, _ -> new CopyOnWriteArrayList<>()).add(listener);
  }

  /// Makes a call and waits for its answer.
  ///
  /// @param session of a tab; empty for the browser
  /// @throws IllegalStateException when the browser refuses it
  JsonNode call(String session, String method, Map<String, ?> parameters) {
    int id = number.incrementAndGet();
    Map<String, Object> message = new HashMap<>();
    message.put("id", id);
    message.put("method", method);
    message.put("params", parameters);
    if (!session.isEmpty()) {
      message.put("sessionId", session);
    }
    var answer = new CompletableFuture<JsonNode>();
    calls.put(id, answer);
    send(message);
    JsonNode answered = answer.orTimeout(DEADLINE_SECONDS, TimeUnit.SECONDS).join();
    if (answered.has("error")) {
      throw new IllegalStateException(method + ": " + answered.path("error"));
    }
    return answered.path("result");
  }

  private synchronized void send(Map<String, Object> message) {
    if (socket == null) {
      throw new IllegalStateException("the browser is not connected");
    }
    try {
      socket.sendText(JSON.writeValueAsString(message), /* last= */ true).join();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    if (socket != null) {
      socket.abort();
    }
    client.shutdownNow();
  }

  private void received(String text) {
    JsonNode message;
    try {
      message = JSON.readTree(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    CompletableFuture<JsonNode> call = calls.remove(message.path("id").asInt());
    if (call != null) {
      call.complete(message);
      return;
    }
    listeners
        .getOrDefault(message.path("sessionId").asText(), List.of())
        .forEach(listener -> listener.accept(message));
  }

  private final class Messages implements WebSocket.Listener {

    private final StringBuilder parts = new StringBuilder();

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
      parts.append(data);
      if (last) {
        String whole = parts.toString();
        parts.setLength(0);
        received(whole);
      }
      from.request(1);
      return null;
    }
  }
}
