package dev.agentmemory.daemon.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.agents.Agent;
import dev.agentmemory.agents.project.ProjectWorkspaces;
import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.client.DaemonFile;
import dev.agentmemory.client.Endpoint;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.daemon.PackagedDaemon;
import dev.agentmemory.daemon.agent.ScratchHome.Ended;
import dev.agentmemory.types.Event;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A daemon of another version than the commands and the hooks, and its replacement.
class OtherVersionIT {

  private static final Instant END = Instant.parse("2200-01-01T00:00:00Z");
  private static final Path PROGRAM = Path.of(System.getProperty("agentmemory.dist"));

  @TempDir private Path folder;

  private ScratchHome home;
  private Path former;

  @BeforeEach
  void create() throws Exception {
    home = ScratchHome.in(folder, folder.resolve("data"));
    former = folder.resolve("former");
    OtherVersion.copy(PROGRAM, former, "0.0.9");
  }

  @AfterEach
  void stop() throws Exception {
    home.run("stop");
  }

  @Test
  void commandsAndHooks_withADaemonOfAnotherVersion_work_orNameTheRemedy() throws Exception {
    assertThat(home.runOf(former, "start").exit()).isZero();
    assertThat(DaemonFile.read(home.data).version()).isEqualTo("0.0.9");

    assertThat(home.run("install", "claude-code").exit()).isZero();
    assertThat(prompt(1)).isZero();
    home.awaitEmptySpool();
    assertThat(prompts()).containsExactly("prompt 1");

    String remedy = "`memory stop`, then `memory start`";
    assertThat(words(home.run("doctor"))).contains("0.0.9", remedy);
    PackagedDaemon.Run started = home.run("start");
    assertThat(started.exit()).isZero();
    assertThat(words(started)).contains("already running", "0.0.9", remedy);
    try (McpProcess bridge =
        McpProcess.start(
            List.of(
                home.data.resolve("agents/memory").toString(),
                "mcp",
                "--data",
                home.data.toString()),
            home.environment(),
            home.project())) {
      assertThat(
              bridge
                  .ask("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}")
                  .path("result")
                  .isObject())
          .isTrue();
    }
  }

  @Test
  void replacement_ofTheDaemonByAnotherVersion_losesNoHook() throws Exception {
    assertThat(home.runOf(former, "install", "claude-code").exit()).isZero();
    assertThat(home.runOf(former, "start").exit()).isZero();
    var replaced = new AtomicBoolean();
    try (ExecutorService agent = Executors.newSingleThreadExecutor()) {
      Future<Integer> sent =
          agent.submit(() -> {
            int count = 0;
            while (!replaced.get() || count < 20) {
              count++;
              assertThat(prompt(count)).isZero();
            }
            return count;
          });
      assertThat(home.runOf(former, "stop").exit()).isZero();
      assertThat(home.run("start").exit()).isZero();
      replaced.set(true);
      int count = sent.get();

      home.awaitEmptySpool();
      List<String> expected = new ArrayList<>();
      for (int i = 1; i <= count; i++) {
        expected.add("prompt " + i);
      }
      assertThat(prompts()).containsExactlyElementsOf(expected);
    }
    // What agents run is of the new version, under the same path.
    assertThat(home.data.resolve("agents/memory").toRealPath())
        .isEqualTo(PROGRAM.resolve("bin/memory").toRealPath());
    assertThat(Files.readString(home.data.resolve("agents/claude-code/.claude-plugin/plugin.json")))
        .doesNotContain("0.0.9");
    assertThat(home.run("doctor").output()).doesNotContain("0.0.9");
  }

  /// The output without its line breaks.
  private static String words(PackagedDaemon.Run run) {
    return run.output().replaceAll("\\s+", " ");
  }

  /// Runs the hook as the settings name it.
  ///
  /// @return its exit code
  private int prompt(int number) throws IOException, InterruptedException {
    String command = home.command(Agent.CLAUDE_CODE, "UserPromptSubmit");
    String payload =
        "{\"session_id\":\"s\",\"prompt_id\":\"p%d\",\"cwd\":\"%s\",\"prompt\":\"prompt %d\"}"
            .formatted(number, home.project(), number);
    Ended ended = home.hook(command, payload);
    assertThat(ended.err()).isEmpty();
    return ended.code();
  }

  private List<String> prompts() {
    Endpoint endpoint =
        Endpoint.find(home.data)
            .withWorkspace(Optional.of(ProjectWorkspaces.DEFAULT.of(home.project())));
    try (MemoryClient client = MemoryClient.connect(endpoint)) {
      return Page.stream(
              PageRequest.of(1000), page -> client.events().between(Instant.EPOCH, END, page))
          .map(Event::text)
          .toList();
    }
  }
}
