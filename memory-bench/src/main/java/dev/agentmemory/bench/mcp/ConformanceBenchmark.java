package dev.agentmemory.bench.mcp;

import dev.agentmemory.api.access.AccessTokens;
import dev.agentmemory.bench.daemon.BenchDaemon;
import dev.agentmemory.bench.daemon.DaemonHttp;
import dev.agentmemory.bench.daemon.Sending;
import dev.agentmemory.bench.data.Talk;
import dev.agentmemory.bench.result.Check;
import dev.agentmemory.bench.result.Result;
import dev.agentmemory.bench.run.Benchmark;
import dev.agentmemory.bench.run.Site;
import dev.agentmemory.gateway.GatewayConfig;
import dev.agentmemory.gateway.HttpGateway;
import dev.agentmemory.gateway.http.GatewayLimits;
import dev.agentmemory.gateway.mcp.protocol.McpEndpoint;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/// The conformance suite, in two versions: against our HTTP server and endpoint with the suite's
/// fixtures, all scenarios of each revision; and against a daemon with the scenarios that need
/// none.
public final class ConformanceBenchmark implements Benchmark {

  private static final String LATEST = "0.2.0-alpha.12";
  private static final String RELEASED = "0.1.16";
  private static final String TOKEN = "conformance";

  /// They need a server that asks its client over an open stream, or that ends a stream on purpose.
  /// None of our tools asks, and the server opens no stream. Revision 2026-07-28 asks in results,
  /// which is tested.
  private static final Set<String> SERVER_ASKS =
      Set.of(
          "tools-call-sampling",
          "tools-call-elicitation",
          "elicitation-sep1034-defaults",
          "elicitation-sep1330-enums",
          "server-sse-polling");

  private static final List<String> OF_2025 =
      List.of(
          "server-initialize",
          "server-session-lifecycle",
          "ping",
          "tools-list",
          "resources-list",
          "prompts-list",
          "server-sse-multiple-streams",
          "dns-rebinding-protection");

  private static final List<String> OF_2026 =
      List.of(
          "tools-list",
          "resources-list",
          "prompts-list",
          "server-sse-multiple-streams",
          "dns-rebinding-protection",
          "caching",
          "http-header-validation",
          "sep-2164-resource-not-found",
          "input-required-result-unsupported-methods");

  @Override
  public String name() {
    return "mcp-conformance";
  }

  @Override
  public String shows() {
    return "the protocol makers' conformance suite against the MCP endpoint, per revision";
  }

  @Override
  public Result run(Site site) throws Exception {
    Path folder = Path.of(System.getProperty("bench.root", "."), "memory-bench/target/conformance");
    var latest = ConformanceSuite.find(folder, LATEST);
    var released = ConformanceSuite.find(folder, RELEASED);
    List<Result.Row> rows = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    var counts = new Counts();
    fixtures(site, latest, released, (label, found) -> counts.add(label, found, rows, notes));
    daemon(site, latest, (label, found) -> counts.add(label, found, rows, notes));
    notes.add("suites " + LATEST + " and " + RELEASED + "; not applying: " + SERVER_ASKS);
    return new Result(
        name(),
        List.of(Check.atLeast(1, "scenarios passed of those that apply", counts.share(), "ratio")),
        rows,
        notes);
  }

  private interface Taker {

    void take(String label, Map<String, String> findings);
  }

  /// What passed so far.
  private static final class Counts {

    private int passed;
    private int all;

    void add(String label, Map<String, String> found, List<Result.Row> rows, List<String> notes) {
      Map<String, String> applying = new LinkedHashMap<>(found);
      applying.keySet().removeAll(SERVER_ASKS);
      long good = applying.values().stream().filter(String::isEmpty).count();
      passed += Math.toIntExact(good);
      all += applying.size();
      rows.add(Result.Row.of(label + ", passed", "scenarios", (double) good));
      rows.add(Result.Row.of(label + ", applying", "scenarios", applying.size()));
      applying.forEach((scenario, failure) -> {
        if (!failure.isEmpty()) {
          notes.add(label + ": " + scenario + ": " + failure);
        }
      });
    }

    double share() {
      return all == 0 ? 0 : (double) passed / all;
    }
  }

  private static void fixtures(
      Site site, ConformanceSuite latest, ConformanceSuite released, Taker taker)
      throws IOException, InterruptedException {
    var endpoint =
        new McpEndpoint("/mcp", 1 << 20, new SplittableRandom(1), SuiteFixtures.features());
    var config =
        new GatewayConfig(
            0, site.path("fixtures.sock"), AccessTokens.single(TOKEN), GatewayLimits.DEFAULT);
    try (HttpGateway gateway = HttpGateway.start(config, () -> true, List.of(endpoint));
        var relay = new TokenRelay(gateway.port(), List.of("authorization: Bearer " + TOKEN))) {
      String url = url(relay);
      for (String revision : List.of("2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26")) {
        site.progress("fixtures, " + revision);
        taker.take(
            "fixtures, " + LATEST + ", " + revision,
            latest.run(url, revision, Optional.empty(), site.path("latest-" + revision)));
      }
      for (String revision : List.of("2025-11-25", "2025-06-18")) {
        site.progress("fixtures, " + RELEASED + ", " + revision);
        taker.take(
            "fixtures, " + RELEASED + ", " + revision,
            released.run(url, revision, Optional.empty(), site.path("released-" + revision)));
      }
    }
  }

  private static void daemon(Site site, ConformanceSuite suite, Taker taker)
      throws IOException, InterruptedException {
    try (BenchDaemon daemon = site.daemon("conformance", Site.WITHOUT_EMBEDDINGS)) {
      Sending.stream(daemon.client(), Talk.sessions(0, 2));
      DaemonHttp http = DaemonHttp.find(site.path("conformance"));
      List<String> headers =
          List.of("authorization: Bearer " + http.token(), "memory-workspace: default");
      try (var relay = new TokenRelay(http.port(), headers)) {
        daemon(site, suite, url(relay), "2026-07-28", OF_2026, taker);
        daemon(site, suite, url(relay), "2025-11-25", OF_2025, taker);
      }
    }
  }

  private static void daemon(
      Site site,
      ConformanceSuite suite,
      String url,
      String revision,
      List<String> scenarios,
      Taker taker)
      throws IOException, InterruptedException {
    var all = new LinkedHashMap<String, String>();
    for (String scenario : scenarios) {
      Path out = site.path("daemon-" + revision + "-" + scenario);
      Map<String, String> found = suite.run(url, revision, Optional.of(scenario), out);
      all.put(scenario, found.getOrDefault(scenario, "the suite did not run it"));
    }
    taker.take("daemon, " + LATEST + ", " + revision, all);
  }

  private static String url(TokenRelay relay) {
    return "http://127.0.0.1:" + relay.port() + "/mcp";
  }
}
