package dev.agentmemory.gateway.mcp.protocol;

import dev.agentmemory.gateway.http.HttpReply;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/// Revision 2026-07-28: every request stands for itself. Checks, in this order: the header
/// `Mcp-Method`; the metadata; the header `MCP-Protocol-Version` against the metadata; whether the
/// revision is served; whether the method exists; the headers `Mcp-Name` and `Mcp-Param-...`.
final class StatelessProtocol {

  static final String VERSION = McpRequest.PREFIX + "protocolVersion";
  private static final String SERVER_INFO = McpRequest.PREFIX + "serverInfo";
  private static final String DISCOVER = "server/discover";

  /// What only the revisions of 2025 have; a server may serve it to them.
  private static final Set<String> REMOVED =
      Set.of("logging/setLevel", "resources/subscribe", "resources/unsubscribe");

  /// How long clients may keep lists, which change with the program only.
  private static final int TTL_MILLIS = 60_000;

  private final McpFeatures features;

  StatelessProtocol(McpFeatures features) {
    this.features = features;
  }

  /// @param header what `MCP-Protocol-Version` says
  /// @param named what the metadata says
  CompletableFuture<HttpReply> answer(
      Incoming incoming, Optional<String> header, Optional<String> named) {
    Optional<McpError> problem = problem(incoming, header, named);
    if (problem.isPresent()) {
      return McpEndpoint.done(McpEndpoint.refused(incoming.id(), problem.get()));
    }
    if (incoming.isNotification()) {
      return McpEndpoint.done(HttpReply.empty(202));
    }
    if (incoming.method().equals(DISCOVER)) {
      return McpEndpoint.done(incoming.result(discovered(), List.of()));
    }
    McpMethod method = features.methods().get(incoming.method());
    if (method == null || REMOVED.contains(incoming.method())) {
      return McpEndpoint.done(
          McpEndpoint.refused(incoming.id(), McpError.methodNotFound(incoming.method())));
    }
    Optional<McpError> mismatch =
        RequestHeaders.nameProblem(incoming, method)
            .or(() -> RequestHeaders.parameterProblem(incoming, features));
    if (mismatch.isPresent()) {
      return McpEndpoint.done(McpEndpoint.refused(incoming.id(), mismatch.get()));
    }
    return incoming
        .call(method, McpRevision.R2026_07_28)
        .thenApply(outcome -> reply(incoming, method, outcome));
  }

  private static Optional<McpError> problem(
      Incoming incoming, Optional<String> header, Optional<String> named) {
    if (named.isEmpty() && header.filter(date -> McpRevision.of(date).isEmpty()).isPresent()) {
      // A client of another revision knows neither the metadata nor the other headers.
      return Optional.of(McpError.unsupportedVersion(header.get()));
    }
    Optional<McpError> method = RequestHeaders.methodProblem(incoming);
    if (method.isPresent()) {
      return method;
    }
    // A notification carries no metadata of its own.
    if (!incoming.isNotification()) {
      Map<String, Object> meta = McpRequest.object(incoming.params().get(McpRequest.META));
      for (String key : List.of(VERSION, McpRequest.CAPABILITIES)) {
        boolean usable =
            key.equals(VERSION) ? meta.get(key) instanceof String : meta.get(key) instanceof Map;
        if (!usable) {
          return Optional.of(
              McpError.invalidParams("_meta[\"" + key + "\"] is missing; every request names it"));
        }
      }
    }
    if (header.isEmpty() || (named.isPresent() && !named.equals(header))) {
      return Optional.of(
          McpError.headerMismatch(
              McpEndpoint.VERSION_HEADER + " has to repeat _meta[\"" + VERSION + "\"]"));
    }
    return McpRevision.of(header.get())
            .filter(known -> known == McpRevision.R2026_07_28)
            .isPresent()
        ? Optional.empty()
        : Optional.of(McpError.unsupportedVersion(header.get()));
  }

  private Map<String, Object> discovered() {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("resultType", "complete");
    fields.put("supportedVersions", McpRevision.dates());
    fields.put("capabilities", capabilities());
    fields.put("serverInfo", features.info());
    fields.put("instructions", features.instructions());
    cached(fields);
    fields.put(McpRequest.META, Map.of(SERVER_INFO, features.info()));
    return fields;
  }

  /// Without what only the revisions of 2025 have.
  private Map<String, Object> capabilities() {
    var capabilities = new LinkedHashMap<>(features.capabilities());
    capabilities.remove("logging");
    var resources = new LinkedHashMap<>(McpRequest.object(capabilities.get("resources")));
    resources.remove("subscribe");
    capabilities.replace("resources", resources);
    return capabilities;
  }

  private static void cached(Map<String, Object> fields) {
    fields.put("ttlMs", TTL_MILLIS);
    fields.put("cacheScope", "private");
  }

  private HttpReply reply(Incoming incoming, McpMethod method, McpOutcome outcome) {
    return switch (outcome) {
      case McpOutcome.Refusal(McpError error) -> McpEndpoint.refused(incoming.id(), error);
      case McpOutcome.Result(Map<String, Object> fields, var before) -> {
        var all = new LinkedHashMap<String, Object>();
        all.put("resultType", "complete");
        all.putAll(fields);
        if (method.cached()) {
          cached(all);
        }
        var meta = new LinkedHashMap<>(McpRequest.object(fields.get(McpRequest.META)));
        meta.put(SERVER_INFO, features.info());
        all.put(McpRequest.META, meta);
        yield incoming.result(all, before);
      }
    };
  }
}
