package dev.agentmemory.cli.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.agents.Agent;
import dev.agentmemory.agents.project.ProjectWorkspaces;
import dev.agentmemory.agents.recording.CaptureFile;
import dev.agentmemory.agents.recording.CapturePause;
import dev.agentmemory.api.gateway.AgentCapture;
import dev.agentmemory.api.gateway.CaptureReport;
import dev.agentmemory.cli.agent.install.AgentHealth.AgentFinding;
import dev.agentmemory.cli.agent.install.AgentSite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AgentReportsTest {

  @TempDir private Path folder;
  private AgentConsole console;

  @BeforeEach
  void open() {
    console = new AgentConsole(folder);
  }

  private AgentFinding finding(String name) {
    return AgentReports.health(console, true).stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private void age(Path file, Duration age) throws IOException {
    Files.setLastModifiedTime(file, FileTime.from(console.system().now().minus(age)));
  }

  @Test
  void health_nothingConnectedAndNoAgentHere_saysNothing() {
    assertThat(AgentReports.health(console, true)).isEmpty();
  }

  @Test
  void health_agentIsHereButNotConnected_namesTheCommand() throws IOException {
    Files.createDirectories(console.home.resolve(".gemini"));
    assertThat(finding("gemini"))
        .isEqualTo(
            new AgentFinding(
                "gemini", "not connected; memory install gemini connects it", true, ""));
  }

  @Test
  void health_connected_saysWhenTheLastEventWas() throws Exception {
    console.run("install", "claude-code");
    assertThat(finding("claude-code").found()).isEqualTo("connected, no event yet");
    var hook =
        new HookRun("dash", console.data()).script(console.data().resolve("agents/memory-hook"));
    hook.run("claude-code", "Stop", "{}");
    age(console.data().resolve("agents/last/claude-code"), Duration.ofSeconds(125));
    AgentFinding found = finding("claude-code");
    assertThat(found.found()).startsWith("connected, last event 2 m 5 s ago (Stop)");
    assertThat(found.good()).isTrue();
  }

  private AgentCapture capture(String agent) {
    AgentSite site =
        new AgentSite(console.data(), console.home, console.environment(), Optional.empty());
    CaptureReport report = AgentReports.captures(site, console.system().now());
    assertThat(report.recorded()).isTrue();
    assertThat(report.sentence()).isEqualTo("on");
    assertThat(report.agents()).hasSize(Agent.values().length);
    return report.agents().stream()
        .filter(each -> each.agent().equals(agent))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void captures_tellOfEachAgent_whatHealthSays() throws Exception {
    assertThat(capture("claude-code").state()).isEqualTo(AgentCapture.State.ABSENT);
    Files.createDirectories(console.home.resolve(".gemini"));
    assertThat(capture("gemini").state()).isEqualTo(AgentCapture.State.NOT_CONNECTED);
    assertThat(capture("gemini").found()).isEqualTo(finding("gemini").found());
    console.run("install", "claude-code");
    assertThat(capture("claude-code").state()).isEqualTo(AgentCapture.State.CONNECTED);
    assertThat(capture("claude-code").lastEvent()).isEmpty();
    var hook =
        new HookRun("dash", console.data()).script(console.data().resolve("agents/memory-hook"));
    hook.run("claude-code", "Stop", "{}");
    assertThat(capture("claude-code").lastEvent()).isPresent();
    assertThat(capture("claude-code").lastEventName()).contains("Stop");
    assertThat(capture("claude-code").good()).isTrue();
  }

  @Test
  void health_hookWasNotAnswered_saysSo() throws Exception {
    console.run("install", "codex");
    var hook =
        new HookRun("dash", console.data()).script(console.data().resolve("agents/memory-hook"));
    try (var server =
        new HookServer(console.data().resolve("http.sock"), HookServer.answer(500, ""))) {
      hook.run("codex", "UserPromptSubmit", "{}");
      assertThat(server.requests()).hasSize(1);
    }
    assertThat(finding("codex").found()).contains("last failure: no answer in time");
  }

  @Test
  void health_connectedLongAgoAndSilent_isBad_withTheSteps() throws IOException {
    console.run("install", "codex");
    for (String file : List.of("hooks.json", "config.toml")) {
      age(console.home.resolve(".codex").resolve(file), Duration.ofDays(2));
    }
    assertThat(finding("codex").good()).isFalse();
    assertThat(finding("codex").remedy()).contains("/hooks");
  }

  @Test
  void health_codex_saysWhetherHooksWereReviewed() throws IOException {
    console.run("install", "codex");
    assertThat(finding("codex").found()).contains("no review of hooks found");
    Path config = console.home.resolve(".codex/config.toml");
    review(config, "/other/hooks.json:stop:0:0");
    assertThat(finding("codex").found()).contains("no review of hooks found");
    String hooks = console.home.resolve(".codex/hooks.json").toString();
    review(config, hooks + ":session_start:0:0");
    assertThat(finding("codex").found()).contains("1 of 5 hooks reviewed");
    for (String event : List.of("user_prompt_submit", "stop", "subagent_stop", "session_end")) {
      review(config, hooks + ":" + event + ":0:0");
    }
    assertThat(finding("codex").found()).startsWith("connected, hooks reviewed, ");
  }

  private static void review(Path config, String place) throws IOException {
    Files.writeString(
        config,
        "[hooks.state.\"%s\"]\ntrusted_hash = \"sha256:1\"\n".formatted(place),
        StandardOpenOption.APPEND);
  }

  @Test
  void health_hooksSwitchedOff_isBad() throws IOException {
    FileTree.write(console.home.resolve(".claude/settings.json"), "{\"disableAllHooks\" : true}");
    console.run("install", "claude-code");
    assertThat(finding("claude-code").good()).isFalse();
    assertThat(finding("claude-code").found()).contains("disableAllHooks");
  }

  @Test
  void health_oneFileIsGone_isBad() throws IOException {
    console.run("install", "cursor");
    Files.delete(console.home.resolve(".cursor/mcp.json"));
    assertThat(finding("cursor").good()).isFalse();
    assertThat(finding("cursor").remedy()).isEqualTo("memory install cursor");
  }

  @Test
  void health_programIsGone_isBad() throws IOException {
    console.run("install", "cursor");
    Files.delete(folder.resolve("program/bin/memory"));
    assertThat(finding("agents").remedy()).contains("memory install cursor");
  }

  @Test
  void health_spoolIsNotRead_isBadWhileADaemonRuns() throws IOException {
    console.run("install", "cursor");
    Path waiting = console.data().resolve("spool/0-1-a.hook");
    FileTree.write(waiting, "memory-hook 1\n\n{}");
    FileTree.write(console.data().resolve("spool/rejected/x"), "");
    assertThat(finding("spool").good()).isTrue();
    age(waiting, Duration.ofHours(1));
    assertThat(finding("spool").good()).isFalse();
    assertThat(finding("spool").found()).contains("1 waiting").contains("1 rejected");
    assertThat(AgentReports.health(console, false).getLast().good()).isTrue();
  }

  @Test
  void refresh_writesTheScriptOfThisVersion_onlyWhereAnAgentIsConnected() throws IOException {
    AgentReports.refresh(console);
    assertThat(console.data()).doesNotExist();
    console.run("install", "claude-code");
    Path script = console.data().resolve("agents/memory-hook");
    Path skill = console.data().resolve("agents/claude-code/skills/memory/SKILL.md");
    Files.writeString(script, "old");
    Files.writeString(skill, "old");
    AgentReports.refresh(console);
    assertThat(script).content().contains("data='" + console.data() + "'").contains("exec mv");
    assertThat(skill).content().contains("memory_search");
  }

  @Test
  void capture_isSwitched_andShown() throws IOException {
    assertThat(console.run("capture").out()).isEqualTo("capture is on\n");
    assertThat(console.run("capture", "off").code()).isEqualTo(1);
    Files.createDirectories(console.data());
    assertThat(console.run("capture", "off").out()).isEqualTo("capture is off\n");
    assertThat(console.data().resolve("capture.json"))
        .content()
        .startsWith("{\"off\":true,\"projects\":[],\n\"pauses\":[{\"from\":\"")
        .doesNotContain("\"to\"");
    assertThat(AgentReports.capture(console)).isEqualTo("off");
    assertThat(AgentReports.problems(console)).isEmpty();
    assertThat(console.run("capture", "on").out()).isEqualTo("capture is on\n");
    List<CapturePause> pauses = CaptureFile.read(console.data()).pauses();
    assertThat(pauses).hasSize(1);
    assertThat(pauses.getFirst().to()).isPresent();
  }

  @Test
  void capture_ofAProject_isSwitched() throws IOException {
    Files.createDirectories(console.data());
    Path project = Files.createDirectories(folder.resolve("shop"));
    assertThat(console.run("capture", "off", "--project", project.toString()).out())
        .startsWith("capture is on, except in shop");
    String workspace = ProjectWorkspaces.DEFAULT.of(project).value();
    assertThat(CaptureFile.read(console.data()).projects()).isEqualTo(Set.of(workspace));
    assertThat(console.run("capture", "on", "--project", project.toString()).out())
        .isEqualTo("capture is on\n");
    assertThat(console.run("capture", "off", "--project", folder + "/gone").err())
        .contains("no directory");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{", "", "[]"})
  void capture_fileIsBroken_isToldAndSwitchedOnAgain(String content) throws IOException {
    FileTree.write(console.data().resolve("capture.json"), content);
    assertThat(console.run("capture").code()).isEqualTo(1);
    assertThat(AgentReports.capture(console)).isEqualTo("off, because capture.json cannot be read");
    assertThat(AgentReports.problems(console)).singleElement().asString().contains("capture on");
    assertThat(console.run("capture", "on").code()).isZero();
    assertThat(CaptureFile.read(console.data()).pauses()).hasSize(1);
    assertThat(console.run("capture", "maybe").code()).isEqualTo(2);
  }

  @Test
  void hook_passesTheSpooledFileOn_andPrintsTheAnswer() throws IOException {
    FileTree.write(console.data().resolve("token"), "am1-x\n");
    FileTree.write(console.data().resolve("daemon.json"), "{\"socket\":\"http.sock\"}");
    String spooled = "memory-hook 1\nagent=codex\nvariable.CODEX_HOME=/c\n\n{\"a\":1}\n";
    try (var server =
        new HookServer(console.data().resolve("http.sock"), HookServer.answer(200, "{}"))) {
      assertThat(console.withInput(spooled).run("hook", "codex", "Stop", "n1"))
          .isEqualTo(new AgentConsole.Said(0, "{}\n", ""));
      assertThat(server.requests().getFirst())
          .startsWith("POST /hooks/codex/Stop ")
          .contains("authorization: Bearer am1-x\r\n")
          .contains("memory-spooled: n1\r\n")
          .contains("memory-variable-CODEX_HOME: /c\r\n")
          .endsWith("\r\n\r\n{\"a\":1}\n");
    }
  }

  @Test
  void hook_noDaemon_endsAsCurlDoes_andSaysNothing() throws IOException {
    assertThat(console.run("hook", "codex", "Stop", "n1"))
        .isEqualTo(new AgentConsole.Said(7, "", ""));
    FileTree.write(console.data().resolve("token"), "am1-x\n");
    FileTree.write(console.data().resolve("daemon.json"), "{\"socket\":\"gone.sock\"}");
    assertThat(console.run("hook", "codex", "Stop", "n1"))
        .isEqualTo(new AgentConsole.Said(7, "", ""));
  }
}
