package dev.agentmemory.daemon.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.agentmemory.agents.Agent;
import dev.agentmemory.daemon.PackagedDaemon;
import dev.agentmemory.testkit.Await;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// A home directory in which agents are connected by the packaged program. Their hooks are run here
/// as the settings name them, with recorded payloads.
final class ScratchHome {

  private static final Path RECORDED = Path.of("../memory-agents/src/test/resources/agents");
  private static final JsonMapper JSON = new JsonMapper();

  /// The home in the recorded payloads.
  private static final String RECORDED_HOME = "/home/dev";

  final Path home;
  final Path data;

  private ScratchHome(Path home, Path data) {
    this.home = home;
    this.data = data;
  }

  /// A new one, with a daemon on free ports, whoever starts it.
  static ScratchHome in(Path folder, Path data) throws IOException {
    Path home = folder.resolve("home");
    Files.createDirectories(home.resolve("project"));
    Files.createDirectories(home.resolve("run"));
    Path settings = Files.createDirectories(home.resolve(".config").resolve("agent-memory"));
    Files.writeString(
        settings.resolve("config.toml"), "grpc_port = 0\n[search]\nembeddings = \"none\"\n");
    return new ScratchHome(home, data);
  }

  Path project() {
    return home.resolve("project");
  }

  /// That of agents and daemons of this home.
  Map<String, String> environment() {
    Map<String, String> environment = new HashMap<>();
    environment.put("HOME", home.toString());
    environment.put("XDG_CONFIG_HOME", home.resolve(".config").toString());
    // For the sockets of data directories with long paths.
    environment.put("XDG_RUNTIME_DIR", home.resolve("run").toString());
    environment.put("PATH", System.getenv("PATH"));
    Optional.ofNullable(System.getenv("JAVA_HOME"))
        .ifPresent(jdk -> environment.put("JAVA_HOME", jdk));
    return environment;
  }

  PackagedDaemon start() throws IOException, InterruptedException {
    return PackagedDaemon.start(data, environment());
  }

  PackagedDaemon.Run run(String... arguments) throws IOException, InterruptedException {
    return PackagedDaemon.run(data, environment(), arguments);
  }

  /// Runs a command of another packaged program.
  PackagedDaemon.Run runOf(Path program, String... arguments)
      throws IOException, InterruptedException {
    return PackagedDaemon.run(program, data, environment(), arguments);
  }

  /// The recorded payload of a file such as `codex-cli/Stop`, of a session in this home.
  String payload(String name) throws IOException {
    JsonNode recorded = JSON.readTree(RECORDED.resolve(name + ".json").toFile());
    return moved(recorded.path("body").toString());
  }

  /// Writes a recorded transcript where the agent would.
  Path transcript(String name, String place) throws IOException {
    Path file = home.resolve(place);
    Files.createDirectories(file.getParent());
    return Files.writeString(
        file, moved(Files.readString(RECORDED.resolve("transcripts").resolve(name))));
  }

  private String moved(String text) {
    return text.replace(RECORDED_HOME, home.toString());
  }

  /// The command of a hook, as the settings of its agent name it.
  String command(Agent agent, String event) throws IOException {
    String command = hooks(agent).get(event);
    if (command == null) {
      throw new AssertionError("the settings of " + agent.id() + " have no hook for " + event);
    }
    return command;
  }

  private SequencedMap<String, String> hooks(Agent agent) throws IOException {
    return switch (agent) {
      case CLAUDE_CODE -> commands(data.resolve("agents/claude-code/hooks/hooks.json"));
      case CODEX -> commands(home.resolve(".codex/hooks.json"));
      case GEMINI -> commands(home.resolve(".gemini/settings.json"));
      case COPILOT -> commands(home.resolve(".copilot/hooks/agent-memory.json"));
      case CURSOR -> commands(home.resolve(".cursor/hooks.json"));
      case OPENCODE -> commandsOfPlugin();
    };
  }

  private static SequencedMap<String, String> commands(Path settings) throws IOException {
    var found = new LinkedHashMap<String, String>();
    JSON.readTree(settings.toFile())
        .path("hooks")
        .properties()
        .forEach(event -> {
          JsonNode hook = event.getValue().path(0);
          JsonNode handler = hook.has("hooks") ? hook.path("hooks").path(0) : hook;
          found.put(event.getKey(), handler.path("command").asText(handler.path("bash").asText()));
        });
    return found;
  }

  /// The plugin starts the script itself.
  private SequencedMap<String, String> commandsOfPlugin() throws IOException {
    String code = Files.readString(home.resolve(".config/opencode/plugins/agent-memory.js"));
    Matcher script = Pattern.compile("const HOOK = \"([^\"]+)\"").matcher(code);
    if (!script.find()) {
      throw new AssertionError("the plugin names no script");
    }
    var found = new LinkedHashMap<String, String>();
    for (String event : List.of("session.created", "chat.message")) {
      found.put(event, "'" + script.group(1) + "' opencode " + event);
    }
    return found;
  }

  /// What a hook said and how it ended.
  record Ended(int code, String out, String err) {

    static final Ended SILENT = new Ended(0, "", "");
  }

  /// Runs a command as agents do: by a shell, with the payload on standard input.
  Ended hook(String command, String payload) throws IOException, InterruptedException {
    var builder = new ProcessBuilder("sh", "-c", command).directory(project().toFile());
    builder.environment().clear();
    builder.environment().putAll(environment());
    Process process = builder.start();
    try (OutputStream in = process.getOutputStream()) {
      in.write(payload.getBytes(StandardCharsets.UTF_8));
    }
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Ended(process.waitFor(), out, err);
  }

  /// How many complete files are in the spool.
  long spooled() {
    Path spool = data.resolve("spool");
    if (!Files.isDirectory(spool)) {
      return 0;
    }
    try (Stream<Path> files = Files.list(spool)) {
      return files.filter(file -> file.toString().endsWith(".hook")).count();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  void awaitEmptySpool() {
    Await.until("the spool is empty", () -> spooled() == 0);
  }
}
