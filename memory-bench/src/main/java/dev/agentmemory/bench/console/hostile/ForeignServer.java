package dev.agentmemory.bench.console.hostile;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// Another server of this machine, on a port of its own. It serves an empty page for each address
/// and keeps what it was asked for.
final class ForeignServer implements AutoCloseable {

  private static final byte[] PAGE =
      "<!doctype html><title>another server</title><body>x</body>".getBytes(StandardCharsets.UTF_8);

  private final HttpServer server;
  private final List<String> asked = new CopyOnWriteArrayList<>();

  private ForeignServer(HttpServer server) {
    this.server = server;
  }

  static ForeignServer start() throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    var foreign = new ForeignServer(server);
    server.createContext(
        "/",
        exchange -> {
          foreign.asked.add(exchange.getRequestURI().toString());
          exchange.getRequestBody().readAllBytes();
          exchange.getResponseHeaders().add("content-type", "text/html; charset=utf-8");
          exchange.getResponseHeaders().add("access-control-allow-origin", "*");
          exchange.sendResponseHeaders(200, PAGE.length);
          exchange.getResponseBody().write(PAGE);
          exchange.close();
        });
    server.start();
    return foreign;
  }

  int port() {
    return server.getAddress().getPort();
  }

  /// The addresses that were asked for, each a path with a query.
  List<String> asked() {
    return asked;
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
