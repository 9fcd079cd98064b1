package dev.agentmemory.daemon;

import dev.agentmemory.api.encoded.EncodedCalls;
import dev.agentmemory.engine.Engine;
import dev.agentmemory.gateway.hook.HookReceiver;
import dev.agentmemory.gateway.http.Route;
import dev.agentmemory.gateway.mcp.tool.MemoryMcp;
import dev.agentmemory.gateway.rpc.RpcRoute;
import dev.agentmemory.service.RpcConfig;
import dev.agentmemory.spi.SystemServices;
import dev.agentmemory.toc.segment.BpeTokens;
import java.util.List;

/// What the daemon serves over HTTP.
final class HttpRoutes {

  private HttpRoutes() {}

  static List<Route> of(
      SystemServices system, Engine engine, EncodedCalls calls, HookReceiver hooks) {
    return List.of(
        new VersionRoute(),
        new RpcRoute(calls, RpcConfig.MOST_REQUEST_BYTES),
        hooks,
        MemoryMcp.route(
            system.clock(),
            system.random(),
            engine.source(),
            hooks.toolUses(),
            new BpeTokens()::count));
  }
}
