package dev.agentmemory.daemon.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.api.recall.MemoryFilter;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.client.DaemonFile;
import dev.agentmemory.client.Endpoint;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.daemon.PackagedDaemon;
import dev.agentmemory.types.WorkspaceName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `memory mcp` as an agent's settings start it.
class McpBridgeIT {

  private static final String OF_2026 =
      "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
          + "\"io.modelcontextprotocol/clientInfo\":{\"name\":\"t\",\"version\":\"1\"},"
          + "\"io.modelcontextprotocol/clientCapabilities\":{}}";

  private static final int SIGINT = 2;
  private static final int SIGTERM = 15;

  @TempDir private Path folder;

  private ScratchHome home;

  @BeforeEach
  void install() throws Exception {
    // Longer than the path of a Unix socket may be.
    home = ScratchHome.in(folder, folder.resolve("x".repeat(100)).resolve("data"));
    PackagedDaemon.Run run = home.run("install", "cursor");
    assertThat(run.exit()).as(run.output()).isZero();
  }

  @AfterEach
  void stop() throws Exception {
    home.run("stop");
  }

  @Test
  void bridge_startsTheDaemon_servesBothEras_andFindsARestartedOne() throws Exception {
    try (McpProcess bridge = bridge()) {
      // No daemon runs.
      assertThat(DaemonFile.in(home.data)).doesNotExist();
      JsonNode initialized = bridge.ask(initialize());
      assertThat(initialized.path("result").path("protocolVersion").asText())
          .isEqualTo("2025-11-25");
      bridge.tell("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
      assertThat(tools(bridge.ask(request(2, "tools/list", "")))).contains("memory_search");
      JsonNode discovered = bridge.ask(request(3, "server/discover", OF_2026));
      assertThat(discovered.path("result").path("supportedVersions").toString())
          .contains("2026-07-28");
      assertThat(tools(bridge.ask(request(4, "tools/list", OF_2026)))).contains("memory_search");
      JsonNode remembered = bridge.ask(remember(5, "", "The port of the ledger is 7001"));
      assertThat(remembered.path("result").path("isError").asBoolean()).isFalse();

      // Stopped and started by somebody else.
      long former = DaemonFile.read(home.data).pid();
      assertThat(home.run("stop").exit()).isZero();
      assertThat(home.run("start").exit()).isZero();
      assertThat(recalled(bridge.ask(search(6, "")))).contains("7001");

      // Killed: the bridge starts the next one.
      long second = DaemonFile.read(home.data).pid();
      ProcessHandle process = ProcessHandle.of(second).orElseThrow();
      process.destroyForcibly();
      process.onExit().join();
      assertThat(recalled(bridge.ask(search(7, "," + OF_2026)))).contains("7001");
      assertThat(DaemonFile.read(home.data).pid()).isNotIn(former, second);

      assertThat(bridge.end()).isZero();
    }
  }

  /// The same by a command and over gRPC, where a caller has no name.
  @Test
  void memoryWithoutASource_hasTheNameOfTheClient_elseUser() throws Exception {
    try (McpProcess bridge = bridge()) {
      var _ = bridge.ask(initialize());
      var _ = bridge.ask(remember(2, "", "Of a client that has introduced itself"));
      var _ =
          bridge.ask(remember(3, "," + OF_2026.replace("\"t\"", "\"t26\""), "Of a client of 2026"));
    }
    assertThat(sources()).containsExactlyInAnyOrder("t", "t26");

    PackagedDaemon.Run run =
        home.run("--workspace", workspace(), "remember", "Of a person", "--session", "s1");
    assertThat(run.exit()).as(run.output()).isZero();
    try (MemoryClient client = client()) {
      var _ = client.recall().memories().remember(MemoryDraft.of("Over gRPC"));
    }
    assertThat(sources()).containsExactlyInAnyOrder("t", "t26", "user", "user");
  }

  private MemoryClient client() {
    return MemoryClient.connect(
        Endpoint.find(home.data).withWorkspace(Optional.of(new WorkspaceName(workspace()))));
  }

  private List<String> sources() {
    try (MemoryClient client = client()) {
      return client
          .recall()
          .memories()
          .list(MemoryFilter.NONE, PageRequest.first())
          .page()
          .items()
          .stream()
          .map(MemoryRecord::source)
          .toList();
    }
  }

  /// The workspace of the project, the only one besides the default one.
  private String workspace() {
    try (MemoryClient client = MemoryClient.connect(Endpoint.find(home.data))) {
      return client.workspaces().list(PageRequest.first()).items().stream()
          .map(report -> report.name().value())
          .filter(name -> !name.equals("default"))
          .findFirst()
          .orElseThrow();
    }
  }

  @Test
  void bridge_daemonCannotBeStarted_namesTheRemedy_andGoesOn() throws Exception {
    assertThat(home.run("start").exit()).isZero();
    assertThat(home.run("stop").exit()).isZero();
    Files.writeString(home.data.resolve("token"), "damaged");
    try (McpProcess bridge = bridge()) {
      JsonNode refused = bridge.ask(initialize());
      assertThat(refused.path("id").asInt()).isOne();
      assertThat(refused.path("error").path("message").asText()).contains("`memory start`");

      Files.delete(home.data.resolve("token"));
      assertThat(bridge.ask(initialize()).path("result").path("protocolVersion").asText())
          .isEqualTo("2025-11-25");
    }
  }

  /// An agent waits for the start of its bridge, and for its end after SIGINT or SIGTERM.
  @Test
  void bridge_asInstalled_hasItsOwnMainClass_andLeavesSignalsToTheSystem() throws Exception {
    Path process;
    try (McpProcess bridge = bridge()) {
      var _ = bridge.ask(initialize());
      process = Path.of("/proc", String.valueOf(bridge.pid()));
      assumeThat(process).as("the system tells of its processes here").isDirectory();
      assertThat(Files.readString(process.resolve("cmdline")))
          .contains("bridge.aot")
          .contains("dev.agentmemory.cli.mcp.McpMain");
      assertThat(caught(process) & (signal(SIGINT) | signal(SIGTERM))).isZero();
    }
  }

  /// The signals that a process handles, as bits.
  private static long caught(Path process) throws IOException {
    return Files.readAllLines(process.resolve("status")).stream()
        .filter(line -> line.startsWith("SigCgt:"))
        .map(line -> line.substring("SigCgt:".length()).strip())
        .mapToLong(bits -> Long.parseUnsignedLong(bits, 16))
        .findFirst()
        .orElseThrow();
  }

  private static long signal(int number) {
    return 1L << (number - 1);
  }

  private McpProcess bridge() throws IOException {
    JsonNode server =
        new JsonMapper()
            .readTree(home.home.resolve(".cursor/mcp.json").toFile())
            .path("mcpServers")
            .path("agent-memory");
    List<String> command = new ArrayList<>(List.of(server.path("command").asText()));
    server.path("args").forEach(argument -> command.add(argument.asText()));
    return McpProcess.start(command, home.environment(), home.project());
  }

  private static String initialize() {
    return request(
        1,
        "initialize",
        "\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"
            + "\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}");
  }

  private static String remember(int id, String more, String text) {
    return request(
        id,
        "tools/call",
        "\"name\":\"memory_remember\",\"arguments\":{\"content\":\"" + text + "\"}" + more);
  }

  private static String search(int id, String more) {
    return request(
        id,
        "tools/call",
        "\"name\":\"memory_search\",\"arguments\":{\"query\":\"port of the ledger\"}" + more);
  }

  private static String request(int id, String method, String params) {
    return "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"%s\",\"params\":{%s}}"
        .formatted(id, method, params);
  }

  private static List<String> tools(JsonNode answer) {
    return answer.path("result").path("tools").findValuesAsText("name");
  }

  private static String recalled(JsonNode answer) {
    assertThat(answer.path("result").path("isError").asBoolean(true)).as("%s", answer).isFalse();
    return answer.path("result").path("content").path(0).path("text").asText();
  }
}
