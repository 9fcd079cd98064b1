package dev.agentmemory.gateway.console;

import dev.agentmemory.api.audit.AuditTrail;
import dev.agentmemory.console.ConsoleAssets;
import dev.agentmemory.gateway.http.ErrorReplies;
import dev.agentmemory.gateway.http.HttpCall;
import dev.agentmemory.gateway.http.HttpReply;
import dev.agentmemory.gateway.http.Route;
import dev.agentmemory.spi.Ticker;
import dev.agentmemory.types.ErrorCode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/// What the console needs of the HTTP server: its pages, its files, and the way in.
public final class ConsoleRoutes {

  /// The addresses of pages; `/toc/` is everything below it.
  private static final List<String> PAGES =
      List.of(
          "/",
          "/toc/",
          "/search",
          "/memories",
          "/memories/",
          "/sessions",
          "/sessions/",
          "/status",
          "/forget");

  private static final String ASSETS = "/assets/";

  private ConsoleRoutes() {}

  /// @param data the data directory, into which a file for the browser is written
  /// @param port of HTTP, asked for when it is served
  public static List<Route> of(
      Ticker ticker, ConsoleKeys keys, AuditTrail audit, Path data, IntSupplier port) {
    Duration valid = EntryCodes.VALID;
    return of(
        ticker,
        keys,
        audit,
        data,
        port,
        CompletableFuture.delayedExecutor(valid.toMillis(), TimeUnit.MILLISECONDS));
  }

  /// @param later runs what it is given when a code has ended
  static List<Route> of(
      Ticker ticker,
      ConsoleKeys keys,
      AuditTrail audit,
      Path data,
      IntSupplier port,
      Executor later) {
    EntryFile.removeOld(data);
    var files = new PageFiles(ConsoleAssets.load());
    var codes = new EntryCodes(ticker);
    List<Route> routes = new ArrayList<>();
    PAGES.forEach(address -> routes.add(new PageRoute(address, files::page)));
    routes.add(new PageRoute(ASSETS, call -> asset(files, call)));
    routes.add(new CodeRoute(keys, codes, audit, data, port, later));
    routes.add(new EnterRoute(keys, codes, files));
    return List.copyOf(routes);
  }

  private static HttpReply asset(PageFiles files, HttpCall call) {
    return files
        .asset(call, call.path().substring(ASSETS.length()))
        .orElseGet(
            () -> ErrorReplies.of(404, ErrorCode.NOT_FOUND, "nothing is served under this path"));
  }
}
