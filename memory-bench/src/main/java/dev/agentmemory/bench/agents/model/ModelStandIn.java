package dev.agentmemory.bench.agents.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/// An HTTP server on loopback that answers as the services of models do, by a script. It keeps what
/// it was asked.
public final class ModelStandIn implements AutoCloseable {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final ModelScript script;
  private final AtomicLong answers = new AtomicLong();
  private final List<String> texts = new ArrayList<>();
  private volatile Duration thinking = Duration.ZERO;

  private ModelStandIn(HttpServer server, ModelScript script) {
    this.server = server;
    this.script = script;
  }

  /// Starts it on a free port.
  public static ModelStandIn start(ModelScript script) throws IOException {
    // Otherwise the JDK's server waits 40 ms between headers and body.
    System.setProperty("sun.net.httpserver.nodelay", "true");
    var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    var model = new ModelStandIn(HttpServer.create(address, 0), script);
    model.server.createContext("/", model::handle);
    model.server.setExecutor(model.threads);
    model.server.start();
    return model;
  }

  public String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /// Lets each further answer take a time. Without this, answers are given at once.
  public void think(Duration time) {
    thinking = time;
  }

  /// All texts of the requests since the last call.
  public List<String> takeTexts() {
    synchronized (texts) {
      List<String> taken = List.copyOf(texts);
      texts.clear();
      return taken;
    }
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readAllBytes();
      String path = exchange.getRequestURI().getPath();
      Optional<ModelFormat> format = format(path);
      if (path.endsWith("/count_tokens")) {
        send(exchange, 200, "application/json", "{\"input_tokens\":1000}");
      } else if (format.isEmpty() || !exchange.getRequestMethod().equals("POST")) {
        send(exchange, 404, "application/json", "{}");
      } else {
        JsonNode request = JSON.readTree(body);
        keep(request);
        ModelReply reply = script.reply(format.get().read(request));
        String id =
            Long.toString(answers.incrementAndGet(), 36) + Long.toHexString(System.nanoTime());
        String answer = format.get().write(request, reply, id);
        takeTime();
        send(
            exchange,
            200,
            answer.startsWith("{") ? "application/json" : "text/event-stream",
            answer);
      }
    }
  }

  private void takeTime() throws InterruptedIOException {
    try {
      Thread.sleep(thinking);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("the stand-in was closed");
    }
  }

  private static Optional<ModelFormat> format(String path) {
    if (path.endsWith("/messages")) {
      return Optional.of(new MessagesFormat());
    } else if (path.endsWith("/responses")) {
      return Optional.of(new ResponsesFormat());
    } else if (path.endsWith("/chat/completions")) {
      return Optional.of(new ChatCompletionsFormat());
    } else if (path.endsWith("enerateContent")) {
      return Optional.of(new GenerateContentFormat(path.endsWith(":streamGenerateContent")));
    }
    return Optional.empty();
  }

  private static void send(HttpExchange exchange, int status, String type, String text)
      throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("content-type", type);
    // The answer to a HEAD request has no body, of which the server has to be told.
    boolean head = exchange.getRequestMethod().equals("HEAD");
    exchange.sendResponseHeaders(status, head ? -1 : bytes.length);
    if (!head) {
      exchange.getResponseBody().write(bytes);
    }
  }

  private void keep(JsonNode request) {
    synchronized (texts) {
      collect(request);
    }
  }

  private void collect(JsonNode node) {
    if (node.isTextual()) {
      texts.add(node.asText());
    }
    node.forEach(this::collect);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.close();
  }
}
