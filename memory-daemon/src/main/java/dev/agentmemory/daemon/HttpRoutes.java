package dev.agentmemory.daemon;

import dev.agentmemory.api.gateway.GatewayReport;
import dev.agentmemory.daemon.memory.GuardedRoute;
import dev.agentmemory.engine.Engine;
import dev.agentmemory.gateway.changes.ChangesRoute;
import dev.agentmemory.gateway.hook.HookReceiver;
import dev.agentmemory.gateway.http.Route;
import dev.agentmemory.gateway.mcp.tool.MemoryMcp;
import dev.agentmemory.gateway.metrics.MetricsRoute;
import dev.agentmemory.gateway.resource.OpenApiRoute;
import dev.agentmemory.gateway.resource.ResourceRoute;
import dev.agentmemory.gateway.rpc.RpcRoute;
import dev.agentmemory.service.MemoryServer;
import dev.agentmemory.service.RpcConfig;
import dev.agentmemory.spi.SystemServices;
import dev.agentmemory.toc.segment.BpeTokens;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/// What the daemon serves over HTTP.
final class HttpRoutes {

  private HttpRoutes() {}

  /// @param server makes the calls
  /// @param console pages of the console, and the way in
  /// @param report what came over HTTP and from hooks
  /// @param memoryShort whether memory is short: then nothing is done that takes much
  static List<Route> of(
      SystemServices system,
      Engine engine,
      MemoryServer server,
      ChangesRoute changes,
      HookReceiver hooks,
      List<Route> console,
      Supplier<GatewayReport> report,
      BooleanSupplier memoryShort) {
    List<Route> routes = new ArrayList<>(console);
    routes.addAll(
        List.of(
            new VersionRoute(),
            new RpcRoute(server.encodedCalls(), RpcConfig.MOST_REQUEST_BYTES),
            new ResourceRoute(server.encodedCalls(), RpcConfig.MOST_REQUEST_BYTES),
            new OpenApiRoute(),
            new GuardedRoute(changes, memoryShort),
            new GuardedRoute(hooks, memoryShort),
            new MetricsRoute(engine::metrics, report),
            new GuardedRoute(
                MemoryMcp.route(
                    system.clock(),
                    system.random(),
                    engine.source(),
                    hooks.toolUses(),
                    new BpeTokens()::count),
                memoryShort)));
    return List.copyOf(routes);
  }
}
