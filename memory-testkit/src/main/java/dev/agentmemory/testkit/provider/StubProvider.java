package dev.agentmemory.testkit.provider;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/// A stub of a model provider: an HTTP server on a free port of the loopback address that supports
/// OpenAI chat completions, Anthropic messages and Ollama chat, and the embeddings of OpenAI and
/// Ollama. It sends the scripted replies in order, then the usual one, which is
/// [StubReply.Sensible] by default. Tokens are reported as a quarter of the characters.
public final class StubProvider implements AutoCloseable {

  /// Most requests that are kept; [#calls] counts all.
  private static final int KEPT = 1000;

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final CountDownLatch released = new CountDownLatch(1);
  private final Deque<StubReply> script = new ArrayDeque<>();
  private final Deque<ModelRequest> requests = new ArrayDeque<>();
  private final AtomicLong calls = new AtomicLong();
  private final AtomicLong inputTokens = new AtomicLong();
  private volatile StubReply usual = new StubReply.Sensible();
  private volatile Optional<String> key = Optional.empty();

  private StubProvider(HttpServer server) {
    this.server = server;
  }

  /// Starts a provider.
  public static StubProvider start() {
    // Otherwise the JDK's server waits 40 ms between headers and body. It reads this property once,
    // when the first server is created.
    System.setProperty("sun.net.httpserver.nodelay", "true");
    try {
      var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
      var provider = new StubProvider(HttpServer.create(address, 0));
      provider.server.createContext("/", provider::handle);
      provider.server.setExecutor(provider.threads);
      provider.server.start();
      return provider;
    } catch (IOException e) {
      throw new UncheckedIOException("no port for the stub provider", e);
    }
  }

  /// The base URL for clients of OpenAI and of servers compatible with it.
  public URI openAi() {
    return root().resolve("/v1");
  }

  /// The base URL for clients of Anthropic.
  public URI anthropic() {
    return root().resolve("/v1");
  }

  /// The base URL for clients of Ollama.
  public URI ollama() {
    return root();
  }

  private URI root() {
    InetSocketAddress address = server.getAddress();
    return URI.create("http://127.0.0.1:" + address.getPort());
  }

  /// Replies to the next requests, one each.
  public StubProvider script(StubReply... replies) {
    synchronized (script) {
      script.addAll(Arrays.asList(replies));
    }
    return this;
  }

  /// The reply to requests when nothing is scripted.
  public StubProvider usually(StubReply reply) {
    usual = reply;
    return this;
  }

  /// Refuses requests without this key with 401.
  public StubProvider demandKey(String demanded) {
    key = Optional.of(demanded);
    return this;
  }

  /// The last requests, oldest first, at most 1000.
  public List<ModelRequest> requests() {
    synchronized (requests) {
      return new ArrayList<>(requests);
    }
  }

  /// The last request.
  public ModelRequest last() {
    return requests().getLast();
  }

  /// Number of requests.
  public long calls() {
    return calls.get();
  }

  /// The tokens of all requests together, as the answers report them.
  public long inputTokens() {
    return inputTokens.get();
  }

  /// Releases all hanging requests, now and later; they are answered with 503.
  public void release() {
    released.countDown();
  }

  @Override
  public void close() {
    release();
    server.stop(0);
    threads.shutdownNow();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      ModelRequest request = read(exchange);
      calls.incrementAndGet();
      synchronized (requests) {
        requests.addLast(request);
        if (requests.size() > KEPT) {
          requests.removeFirst();
        }
      }
      reply(exchange, request, isRefused(request) ? refusal() : next());
    }
  }

  private static ModelRequest read(HttpExchange exchange) throws IOException {
    Map<String, String> headers = new HashMap<>();
    exchange
        .getRequestHeaders()
        .forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), values.getFirst()));
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    return new ModelRequest(exchange.getRequestURI().getPath(), headers, body);
  }

  private boolean isRefused(ModelRequest request) {
    return key.isPresent()
        && !request.header("authorization").equals(key.map(value -> "Bearer " + value))
        && !request.header("x-api-key").equals(key);
  }

  private static StubReply refusal() {
    return StubReply.error(401, "Incorrect API key provided");
  }

  private StubReply next() {
    synchronized (script) {
      StubReply reply = script.poll();
      return reply == null ? usual : reply;
    }
  }

  private void reply(HttpExchange exchange, ModelRequest request, StubReply reply)
      throws IOException {
    switch (reply) {
      case StubReply.Says says -> answer(exchange, request, says.text(), false);
      case StubReply.CutOff cut -> answer(exchange, request, cut.text(), true);
      case StubReply.Sensible _ -> {
        Optional<String> vectors = SensibleVectors.to(request);
        if (vectors.isPresent()) {
          send(exchange, 200, vectors.get());
        } else {
          answer(exchange, request, SensibleAnswer.to(request.texts().getLast()), false);
        }
      }
      case StubReply.Plain plain -> {
        plain.headers().forEach(exchange.getResponseHeaders()::set);
        send(exchange, plain.status(), plain.body());
      }
      case StubReply.Hang _ -> {
        awaitRelease();
        send(exchange, 503, Formats.error("released"));
      }
      case StubReply.Break _ -> begin(exchange);
      case StubReply.Stall _ -> {
        begin(exchange);
        awaitRelease();
      }
    }
  }

  private void answer(HttpExchange exchange, ModelRequest request, String text, boolean cut)
      throws IOException {
    long input = tokens(String.join("\n", request.texts()));
    inputTokens.addAndGet(input);
    String model = request.value("/model").orElse("unknown");
    String body = Formats.of(request.path()).answer(model, text, cut, input, tokens(text));
    send(exchange, 200, body);
  }

  private static long tokens(String text) {
    return (text.length() + 3L) / 4;
  }

  private static void send(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(bytes);
    }
  }

  /// Announces more bytes than it sends.
  private static void begin(HttpExchange exchange) throws IOException {
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(200, 1000);
    OutputStream out = exchange.getResponseBody();
    out.write("{\"id\":".getBytes(StandardCharsets.UTF_8));
    out.flush();
  }

  private void awaitRelease() {
    try {
      released.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
