package dev.agentmemory.bench.mcp;

import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.api.search.ContextRequest;
import dev.agentmemory.api.search.RelevanceThreshold;
import dev.agentmemory.bench.daemon.BenchDaemon;
import dev.agentmemory.bench.daemon.DaemonHttp;
import dev.agentmemory.bench.daemon.Sending;
import dev.agentmemory.bench.data.Talk;
import dev.agentmemory.bench.result.Check;
import dev.agentmemory.bench.result.Measured;
import dev.agentmemory.bench.result.Result;
import dev.agentmemory.bench.run.Benchmark;
import dev.agentmemory.bench.run.Site;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.gateway.mcp.protocol.Json;
import dev.agentmemory.toc.segment.BpeTokens;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.NodeId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// What a tool costs over the same calls of gRPC, and how many tokens every session pays.
public final class McpBenchmark implements Benchmark {

  private static final int SESSIONS = 400;
  private static final int ROUNDS = 7;
  private static final int CALLS = 150;
  private static final int BUDGET = 1000;
  private static final double P95 = 0.95;
  private static final double OF_GRPC = 1.5;
  private static final int CHILDREN = 50;
  private static final double MOST_TOKENS = 1500;

  @Override
  public String name() {
    return "mcp";
  }

  @Override
  public String shows() {
    return "memory_search and memory_browse over a call that does nothing and the gRPC calls";
  }

  /// One side.
  private interface Call {

    void run(int number) throws IOException;
  }

  @Override
  public Result run(Site site) throws Exception {
    try (BenchDaemon daemon = site.daemon("mcp", Site.WITHOUT_EMBEDDINGS)) {
      List<Event> events = new ArrayList<>();
      Talk.sessions(0, SESSIONS).forEach(events::add);
      Sending.stream(daemon.client(), Talk.sessions(0, SESSIONS));
      daemon.awaitToc();
      daemon.awaitIndexed(daemon.client(), events.size());
      DaemonHttp http = DaemonHttp.find(site.path("mcp"));
      try (var mcp = new McpClient(http, "default");
          MemoryClient grpc = daemon.another()) {
        return result(measured(site, sides(mcp, grpc, events)), tokens(mcp));
      }
    }
  }

  private static Map<String, Call> sides(McpClient mcp, MemoryClient grpc, List<Event> events) {
    NodeId year = grpc.contents().root().getFirst().id();
    NodeId node = grpc.contents().node(year).orElseThrow().children().getFirst();
    var sides = new LinkedHashMap<String, Call>();
    sides.put("no-op 2025", _ -> mcp.initialized("ping", Map.of()));
    sides.put("no-op 2026", _ -> mcp.stateless("prompts/list", Map.of()));
    sides.put("search gRPC", number -> context(grpc, question(events, number)));
    sides.put(
        "search 2025", number -> mcp.initialized("tools/call", search(question(events, number))));
    sides.put(
        "search 2026", number -> mcp.stateless("tools/call", search(question(events, number))));
    sides.put("browse gRPC", _ -> contents(grpc, node));
    sides.put("browse 2025", _ -> mcp.initialized("tools/call", browse(node)));
    sides.put("browse 2026", _ -> mcp.stateless("tools/call", browse(node)));
    return sides;
  }

  /// The first words of an event.
  private static String question(List<Event> events, int number) {
    String text = events.get(Math.floorMod(number * 7919, events.size())).text();
    String plain = text.replaceAll("[^\\p{L}\\p{N} ]", " ").strip();
    String first = plain.substring(0, Math.min(60, plain.length())).strip();
    return first.isEmpty() ? "database" : first;
  }

  private static Map<String, Object> search(String question) {
    return call("memory_search", Json.object("query", question, "budget_tokens", BUDGET));
  }

  private static Map<String, Object> browse(NodeId node) {
    return call("memory_browse", Json.object("node", node.value(), "budget_tokens", BUDGET));
  }

  private static Map<String, Object> call(String tool, Map<String, Object> arguments) {
    return Json.object("name", tool, "arguments", arguments);
  }

  private static void context(MemoryClient grpc, String question) {
    grpc.search()
        .context(
            ContextRequest.of(question, BUDGET, Instant.now())
                .withThreshold(RelevanceThreshold.DEFAULT));
  }

  private static void contents(MemoryClient grpc, NodeId node) {
    var _ = grpc.contents().node(node).orElseThrow();
    grpc.contents().children(node, PageRequest.of(CHILDREN));
  }

  /// The 95th percentile of each side in milliseconds, a value for each round. The first round is a
  /// warm-up.
  private static Map<String, Measured> measured(Site site, Map<String, Call> sides)
      throws IOException {
    Map<String, List<Double>> values = new LinkedHashMap<>();
    for (int round = -1; round < ROUNDS; round++) {
      for (Map.Entry<String, Call> side : sides.entrySet()) {
        double p95 = p95(side.getValue(), round * CALLS);
        if (round >= 0) {
          values.computeIfAbsent(side.getKey(), _ -> new ArrayList<>()).add(p95);
        }
      }
      site.progress("round " + (round + 1) + " of " + ROUNDS);
    }
    var measured = new LinkedHashMap<String, Measured>();
    values.forEach((side, of) -> measured.put(side, new Measured(of)));
    return measured;
  }

  private static double p95(Call call, int first) throws IOException {
    List<Double> millis = new ArrayList<>();
    for (int i = 0; i < CALLS; i++) {
      long start = System.nanoTime();
      call.run(first + i);
      millis.add((System.nanoTime() - start) / 1e6);
    }
    return new Measured(millis).percentile(P95);
  }

  private static Map<?, ?> result(String answer) throws IOException {
    return (Map<?, ?>) Objects.requireNonNull(object(answer).get("result"), answer);
  }

  /// Tokens of the tool list and the instructions.
  private static int tokens(McpClient mcp) throws IOException {
    String started = mcp.initialized("initialize", Map.of("protocolVersion", "2025-11-25"));
    String listed = mcp.initialized("tools/list", Map.of());
    return new BpeTokens().count(Json.write(result(listed)) + result(started).get("instructions"));
  }

  private static Map<?, ?> object(String json) {
    return (Map<?, ?>) Json.read(json.getBytes(StandardCharsets.UTF_8)).orElseThrow();
  }

  private Result result(Map<String, Measured> measured, int tokens) {
    List<Check> checks = new ArrayList<>();
    for (String tool : List.of("search", "browse")) {
      for (String era : List.of("2025", "2026")) {
        Measured bound =
            side(measured, "no-op " + era).plus(scaled(side(measured, tool + " gRPC")));
        double ratio = side(measured, tool + " " + era).over(bound).median();
        checks.add(Check.atMost(1, "memory_" + tool + " " + era, ratio, "ratio"));
      }
    }
    checks.add(Check.atMost(MOST_TOKENS, "tool list and instructions", tokens, "tokens"));
    List<Result.Row> rows =
        measured.entrySet().stream()
            .map(side -> new Result.Row(side.getKey() + ", p95", "ms", side.getValue()))
            .toList();
    return new Result(
        name(),
        checks,
        rows,
        List.of(
            "p95 over (p95 of a call that does nothing + 1.5 x p95 of the gRPC calls), one"
                + " connection each, sides in turns"));
  }

  private static Measured side(Map<String, Measured> measured, String name) {
    return Objects.requireNonNull(measured.get(name), name);
  }

  private static Measured scaled(Measured one) {
    return new Measured(one.values().stream().map(value -> value * OF_GRPC).toList());
  }
}
