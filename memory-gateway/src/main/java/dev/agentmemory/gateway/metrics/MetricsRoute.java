package dev.agentmemory.gateway.metrics;

import dev.agentmemory.api.access.Caller;
import dev.agentmemory.api.gateway.GatewayReport;
import dev.agentmemory.api.metrics.EngineMetrics;
import dev.agentmemory.gateway.http.ErrorReplies;
import dev.agentmemory.gateway.http.HttpCall;
import dev.agentmemory.gateway.http.HttpReply;
import dev.agentmemory.gateway.http.Route;
import dev.agentmemory.gateway.internal.metrics.MetricsReader;
import dev.agentmemory.types.ErrorCode;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/// `GET /metrics`: what is measured, in the text format of Prometheus. Everything is read when it
/// is asked for, so nothing is done and no class of the library is loaded before that.
public final class MetricsRoute implements Route {

  private static final String TEXT_FORMAT = "text/plain; version=0.0.4; charset=utf-8";

  private final MetricsReader reader;

  /// @param engine what is measured of the engine
  /// @param gateway what came over HTTP and from hooks
  public MetricsRoute(Supplier<EngineMetrics> engine, Supplier<GatewayReport> gateway) {
    this.reader = new MetricsReader(engine, gateway);
  }

  @Override
  public String prefix() {
    return "/metrics";
  }

  @Override
  public long mostBytes() {
    return 0;
  }

  @Override
  public void check(Caller caller) {
    // They name workspaces.
    caller.requireAll();
  }

  @Override
  public CompletableFuture<HttpReply> answer(HttpCall call) {
    return CompletableFuture.completedFuture(
        call.method().equals("GET")
            ? HttpReply.text(200, TEXT_FORMAT, reader.text())
            : ErrorReplies.of(405, ErrorCode.INVALID_FIELD, "method: only GET is served"));
  }
}
