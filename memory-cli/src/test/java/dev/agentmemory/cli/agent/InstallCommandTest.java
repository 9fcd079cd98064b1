package dev.agentmemory.cli.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.agentmemory.agents.Agent;
import dev.agentmemory.cli.agent.AgentConsole.Said;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class InstallCommandTest {

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(JsonReadFeature.ALLOW_JAVA_COMMENTS)
          .enable(JsonReadFeature.ALLOW_TRAILING_COMMA)
          .build();

  /// Settings that somebody wrote by hand, in the file that the agent reads.
  private static final Map<Agent, Map<String, String>> OWN =
      Map.of(
          Agent.CLAUDE_CODE,
              Map.of(
                  ".claude/settings.json",
                  """
                  {
                      // my model
                      "model": "opus", /* it is */
                      "enabledPlugins": { "other@market": true }, // kept
                      "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]}
                  }
                  """,
                  ".claude/plugins/known_marketplaces.json",
                  "{\"market\":{\"source\":{\"source\":\"github\",\"repo\":\"a/b\"}}}"),
          Agent.CODEX,
              Map.of(
                  ".codex/hooks.json",
                  """
                  {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say 'done'"}]}]}}
                  """,
                  ".codex/config.toml",
                  "model = \"gpt-5\"\r\n\r\n[mcp_servers.other]\r\ncommand = \"x\""),
          Agent.GEMINI,
              Map.of(
                  ".gemini/settings.json",
                  "\uFEFF{\r\n\t\"theme\": \"dark\",\r\n\t\"mcpServers\": {\r\n\t\t\"other\": {\"command\": \"x\"},\r\n\t},\r\n}\r\n"),
          Agent.COPILOT,
              Map.of(
                  ".copilot/mcp-config.json",
                  "{\n  \"mcpServers\": {}\n}",
                  ".copilot/hooks/mine.json",
                  "{\"version\":1,\"hooks\":{}}"),
          Agent.CURSOR,
              Map.of(
                  ".cursor/hooks.json",
                  "{\"version\": 1, \"hooks\": {\"stop\": [{\"command\": \"./memory-hook-of-mine x\"}]}}",
                  ".cursor/mcp.json",
                  "{}"),
          Agent.OPENCODE,
              Map.of(
                  ".config/opencode/opencode.json",
                  """
                  {
                    "$schema": "x",
                    "mcp": {
                      "other": {"type": "remote", "url": "y"} // theirs
                      // , "commented": {}
                    }
                  }
                  """));

  @TempDir private Path folder;
  private AgentConsole console;

  @BeforeEach
  void open() {
    console = new AgentConsole(folder);
  }

  private static Map<String, String> own(Agent agent) {
    return Objects.requireNonNull(OWN.get(agent));
  }

  private void writeOwn(Agent agent) {
    own(agent).forEach((file, text) -> FileTree.write(console.home.resolve(file), text));
  }

  private Map<String, String> home() {
    return FileTree.of(console.home);
  }

  @ParameterizedTest
  @EnumSource(Agent.class)
  void uninstall_afterInstallIntoNothing_leavesNothing(Agent agent) {
    assertThat(console.run("install", agent.id()).code()).isZero();
    assertThat(home()).isNotEmpty();
    assertThat(console.run("uninstall", agent.id()).code()).isZero();
    assertThat(home()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(Agent.class)
  void uninstall_filesUnchangedSince_restoresEveryByte(Agent agent) {
    writeOwn(agent);
    Map<String, String> before = home();
    assertThat(console.run("install", agent.id()).err()).isEmpty();
    assertThat(home()).isNotEqualTo(before);
    assertThat(console.run("uninstall", agent.id()).code()).isZero();
    assertThat(home()).isEqualTo(before);
  }

  @Test
  void diff_showsNoSecretOfTheSettings_andTheFileKeepsThem() {
    String key = "AIza" + "SyD4x8Kq2mPw7vR1tN5bJ9cL3fH6gY0sZaE";
    String settings =
        """
        {
          "env": {"DB_PASSWORD": "correct-horse-9"},
          "apiKey": "%s",
          "url": "https://dev:s3cr3t-pw@example.org/"
        }
        """
            .formatted(key);
    FileTree.write(console.home.resolve(".gemini/settings.json"), settings);

    Said dry = console.run("install", "gemini", "--dry-run");
    Said json = console.runJson("install", "gemini");
    Said back = console.run("uninstall", "gemini");
    for (Said said : List.of(dry, json, back)) {
      assertThat(said.code()).as(said.err()).isZero();
      assertThat(said.out() + said.err())
          .contains("[masked:")
          .doesNotContain("correct-horse-9", key, "s3cr3t-pw");
    }
    assertThat(home()).containsEntry(".gemini/settings.json", settings);
  }

  @Test
  void refusal_quotesNoSecretOfTheSettings() {
    String key = "AIza" + "SyD4x8Kq2mPw7vR1tN5bJ9cL3fH6gY0sZaE";
    FileTree.write(console.home.resolve(".gemini/settings.json"), "{\"apiKey\": " + key + "}");

    Said said = console.run("install", "gemini");
    assertThat(said.code()).isNotZero();
    assertThat(said.err()).contains("line 1").doesNotContain(key);
  }

  @Test
  void install_linkInPlaceOfADraft_isNotFollowed() throws IOException {
    String own = "not ours";
    Path victim = folder.resolve("victim");
    FileTree.write(victim, own);
    Path agents = console.data().resolve("agents");
    FileTree.write(agents.resolve("x"), "");
    for (String name : List.of("memory-hook.tmp", ".memory-hook.memory.tmp")) {
      Files.createSymbolicLink(agents.resolve(name), victim);
    }
    assertThat(console.run("install", "codex").code()).isZero();

    assertThat(FileTree.read(victim)).isEqualTo(own);
  }

  @ParameterizedTest
  @EnumSource(Agent.class)
  void install_twice_isOnce_andIsUndoneByOneUninstall(Agent agent) {
    writeOwn(agent);
    Map<String, String> before = home();
    console.run("install", agent.id());
    Map<String, String> once = home();
    assertThat(console.run("install", agent.id()).out()).contains("nothing to change");
    assertThat(home()).isEqualTo(once);
    console.run("uninstall", agent.id());
    assertThat(home()).isEqualTo(before);
  }

  @ParameterizedTest
  @EnumSource(Agent.class)
  void install_keepsWhatOthersWrote_withItsComments(Agent agent) throws IOException {
    writeOwn(agent);
    console.run("install", agent.id());
    for (Map.Entry<String, String> own : own(agent).entrySet()) {
      String text = Files.readString(console.home.resolve(own.getKey()));
      if (own.getKey().endsWith(".json")) {
        JsonNode before = JSON.readTree(own.getValue().replace("\uFEFF", ""));
        JsonNode after = JSON.readTree(text.replace("\uFEFF", ""));
        assertThat(contains(after, before)).as(text).isTrue();
      }
      own.getValue()
          .lines()
          .filter(line -> line.contains("//") || line.contains("/*"))
          .forEach(line -> assertThat(text).contains(line.substring(line.indexOf('/')).strip()));
    }
  }

  /// Whether everything in one value is in another one.
  private static boolean contains(JsonNode all, JsonNode part) {
    if (part.isObject()) {
      return part.properties().stream()
          .allMatch(field ->
              all.has(field.getKey()) && contains(all.get(field.getKey()), field.getValue()));
    }
    if (part.isArray()) {
      for (JsonNode each : part) {
        boolean found = false;
        for (JsonNode other : all) {
          found |= contains(other, each);
        }
        if (!found) {
          return false;
        }
      }
      return true;
    }
    return all.equals(part);
  }

  @ParameterizedTest
  @EnumSource(Agent.class)
  void uninstall_fileChangedSince_removesOurEntriesOnly(Agent agent) throws IOException {
    writeOwn(agent);
    Map<String, String> before = home();
    console.run("install", agent.id());
    for (String file : own(agent).keySet()) {
      Path path = console.home.resolve(file);
      // A later comment or a later line, as an editor leaves it.
      Files.writeString(
          path, Files.readString(path) + (file.endsWith(".toml") ? "# mine\n" : "\n"));
    }
    assertThat(console.run("uninstall", agent.id()).code()).isZero();
    for (String file : own(agent).keySet()) {
      String text = Files.readString(console.home.resolve(file));
      assertThat(text).doesNotContain("agent-memory").doesNotContain("memory-hook' ");
      if (file.endsWith(".json")) {
        assertThat(JSON.readTree(text.replace("\uFEFF", "")))
            .isEqualTo(
                withoutEmpty(
                    JSON.readTree(
                        Objects.requireNonNull(before.get(file))
                            .replace("\u00EF\u00BB\u00BF", ""))));
      } else {
        assertThat(text).isEqualTo(before.get(file) + "\r\n# mine\n");
      }
    }
  }

  /// An object that was empty before holds our entries only, so it goes with them.
  private static JsonNode withoutEmpty(JsonNode tree) {
    return tree.toString().equals("{\"mcpServers\":{}}") ? JSON.createObjectNode() : tree;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"{\"a\": ", "{\"a\": 1} x", "[]", "{\"hooks\": []}", "nothing", "{'a': 1}"})
  void install_fileIsNotWhatTheAgentReads_isRefused_andNothingIsChanged(String broken) {
    FileTree.write(console.home.resolve(".gemini/settings.json"), broken);
    Said said = console.run("install", "gemini");
    assertThat(said.code()).isEqualTo(1);
    assertThat(said.err()).contains("settings.json was not changed");
    assertThat(home()).isEqualTo(Map.of(".gemini/settings.json", broken));
  }

  @Test
  void install_secondFileIsBroken_leavesTheFirstOneAlone() {
    FileTree.write(console.home.resolve(".cursor/mcp.json"), "{");
    assertThat(console.run("install", "cursor").code()).isEqualTo(1);
    assertThat(home()).isEqualTo(Map.of(".cursor/mcp.json", "{"));
  }

  @Test
  void install_readOnlyFile_isRefused_andNothingIsChanged() throws IOException {
    Path file = console.home.resolve(".gemini/settings.json");
    FileTree.write(file, "{}");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--r--r--"));
    assertThat(console.run("install", "gemini").err()).contains("read-only");
    assertThat(home()).isEqualTo(Map.of(".gemini/settings.json", "{}"));
  }

  @Test
  void install_linkedFile_changesItsTarget_andKeepsLinkAndPermissions() throws IOException {
    Path target = folder.resolve("dotfiles/gemini.json");
    FileTree.write(target, "{}\n");
    Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rw-r-----"));
    Path link = console.home.resolve(".gemini/settings.json");
    Files.createDirectories(link.getParent());
    Files.createSymbolicLink(link, target);
    assertThat(console.run("install", "gemini").code()).isZero();
    assertThat(link).isSymbolicLink();
    assertThat(target).content().contains("BeforeAgent");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(target)))
        .isEqualTo("rw-r-----");
    console.run("uninstall", "gemini");
    assertThat(link).isSymbolicLink();
    assertThat(target).hasContent("{}\n");
  }

  @Test
  void install_linkToNothing_isRefused() throws IOException {
    Path link = console.home.resolve(".gemini/settings.json");
    Files.createDirectories(link.getParent());
    Files.createSymbolicLink(link, folder.resolve("gone"));
    assertThat(console.run("install", "gemini").err()).contains("a link to nothing");
    assertThat(Files.exists(link, LinkOption.NOFOLLOW_LINKS)).isTrue();
  }

  @Test
  void install_serverOfThatNameIsSomebodyElses_isRefused() {
    String own =
        "{\"mcpServers\": {\"agent-memory\": {\"command\": \"mine\", \"args\": [\"mcp\"]}}}";
    FileTree.write(console.home.resolve(".cursor/mcp.json"), own);
    assertThat(console.run("install", "cursor").err()).contains("did not write");
    console.run("uninstall", "cursor");
    assertThat(home()).isEqualTo(Map.of(".cursor/mcp.json", own));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[mcp_servers.\"agent-memory\"]\ncommand = \"mine\"\n",
        "[ mcp_servers . agent-memory ] # mine\ncommand = \"mine\"\n",
        "[mcp_servers]\nagent-memory = { command = \"mine\" }\n",
        "[mcp_servers]\n'agent-memory'.command = \"mine\"\n",
        "mcp_servers.agent-memory.command = \"mine\"\n",
        "mcp_servers = { agent-memory = { command = \"mine\" } }\n"
      })
  void install_tableOfThatNameIsSomebodyElses_isRefused(String own) {
    FileTree.write(console.home.resolve(".codex/config.toml"), own);
    assertThat(console.run("install", "codex").err()).contains("did not write");
    assertThat(home()).isEqualTo(Map.of(".codex/config.toml", own));
  }

  @Test
  void install_serversAreInOneLine_isRefused() {
    String own = "mcp_servers = { other = { command = \"x\" } }\n";
    FileTree.write(console.home.resolve(".codex/config.toml"), own);
    assertThat(console.run("install", "codex").err()).contains("write them as tables");
    assertThat(home()).isEqualTo(Map.of(".codex/config.toml", own));
  }

  @Test
  void install_nameIsInAnotherTableOrInText_isDone() {
    String own = "[other]\nmcp_servers = 1\ntext = \"\"\"\n[mcp_servers.agent-memory]\n\"\"\"\n";
    FileTree.write(console.home.resolve(".codex/config.toml"), own);
    assertThat(console.run("install", "codex").code()).isZero();
    assertThat(console.run("uninstall", "codex").code()).isZero();
    assertThat(home()).isEqualTo(Map.of(".codex/config.toml", own));
  }

  @ParameterizedTest
  @EnumSource(Agent.class)
  void dryRun_showsTheChange_andMakesNone(Agent agent) {
    writeOwn(agent);
    Map<String, String> before = home();
    Said said = console.run("install", agent.id(), "--dry-run");
    assertThat(said.out()).contains("would be").contains("+ ");
    assertThat(home()).isEqualTo(before);
    assertThat(console.data()).doesNotExist();
  }

  @ParameterizedTest
  @EnumSource(Agent.class)
  void install_putsNoSecretIntoAnyFile_andNoOtherUserCanRead(Agent agent) throws IOException {
    FileTree.write(console.data().resolve("token"), "am1-secret\n");
    console.run("install", agent.id());
    assertThat(home().values()).noneMatch(text -> text.contains("am1-secret"));
    Map<String, String> data = new TreeMap<>(FileTree.of(console.data()));
    data.remove("token");
    assertThat(data.values()).noneMatch(text -> text.contains("am1-secret"));
    assertThat(
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(console.data().resolve("agents"))))
        .isEqualTo("rwx------");
  }

  @Test
  void install_forAProject_writesThere_andNotForTheUser() {
    Path project = folder.resolve("project");
    for (Agent agent :
        List.of(Agent.CODEX, Agent.GEMINI, Agent.CURSOR, Agent.OPENCODE, Agent.COPILOT)) {
      assertThat(console.run("install", agent.id(), "--project", project.toString()).code())
          .isZero();
    }
    assertThat(home()).isEmpty();
    assertThat(FileTree.of(project))
        .containsOnlyKeys(
            ".codex/config.toml",
            ".codex/hooks.json",
            ".cursor/hooks.json",
            ".cursor/mcp.json",
            ".gemini/settings.json",
            ".github/hooks/agent-memory.json",
            ".opencode/plugins/agent-memory.js",
            "opencode.json");
  }

  @Test
  void install_foldersMovedByVariables_writesThere() {
    console.with("CODEX_HOME", folder.resolve("c")).with("CLAUDE_CONFIG_DIR", folder.resolve("d"));
    console.run("install", "codex");
    console.run("install", "claude-code");
    assertThat(home()).isEmpty();
    assertThat(folder.resolve("c/hooks.json")).exists();
    assertThat(folder.resolve("d/settings.json")).exists();
  }

  @Test
  void install_codex_saysThatHooksMustBeReviewed() {
    assertThat(console.run("install", "codex").out()).contains("/hooks").contains("REQUIRED");
  }

  @Test
  void install_unknownAgent_namesTheKnownOnes() {
    Said said = console.run("install", "emacs");
    assertThat(said.code()).isEqualTo(2);
    assertThat(said.err()).contains("claude-code, codex, gemini, copilot, cursor, opencode");
  }

  @Test
  void uninstall_nothingInstalled_changesNothing() {
    writeOwn(Agent.CLAUDE_CODE);
    Map<String, String> before = home();
    assertThat(console.run("uninstall", "claude-code").out()).contains("nothing to change");
    assertThat(home()).isEqualTo(before);
  }

  @Test
  void uninstall_backupsLost_removesOurEntries() throws IOException {
    writeOwn(Agent.CURSOR);
    Map<String, String> before = home();
    console.run("install", "cursor");
    for (String file : FileTree.of(console.data().resolve("agents/backups")).keySet()) {
      Files.delete(console.data().resolve("agents/backups").resolve(file));
    }
    console.run("uninstall", "cursor");
    assertThat(JSON.readTree(home().get(".cursor/hooks.json")))
        .isEqualTo(JSON.readTree(before.get(".cursor/hooks.json")));
  }

  @Test
  void plugin_hasHooksServerAndSkill_andIsAMarketplace() throws IOException {
    console.run("install", "claude-code");
    Path plugin = console.data().resolve("agents/claude-code");
    JsonNode hooks = JSON.readTree(plugin.resolve("hooks/hooks.json").toFile()).get("hooks");
    assertThat(hooks.properties())
        .extracting(Map.Entry::getKey)
        .containsExactly("SessionStart", "UserPromptSubmit", "Stop", "SubagentStop", "SessionEnd");
    assertThat(hooks.at("/Stop/0/hooks/0/command").asText())
        .isEqualTo("'" + console.data() + "/agents/memory-hook' claude-code Stop");
    JsonNode server = JSON.readTree(plugin.resolve(".mcp.json").toFile()).at("/mcpServers/memory");
    assertThat(server.get("alwaysLoad").asBoolean()).isTrue();
    assertThat(server.get("args").toString())
        .isEqualTo("[\"mcp\",\"--data\",\"" + console.data() + "\"]");
    assertThat(plugin.resolve("skills/memory/SKILL.md")).content().startsWith("---\nname: memory");
    assertThat(
            JSON.readTree(plugin.resolve(".claude-plugin/marketplace.json").toFile())
                .at("/plugins/0/source")
                .asText())
        .isEqualTo("./");
  }

  @Test
  void json_ofAnInstallation_hasFilesAndSteps() throws IOException {
    JsonNode said = JSON.readTree(console.runJson("install", "cursor").out());
    assertThat(said.at("/files/0/change").asText()).isEqualTo("created");
    assertThat(said.get("next").size()).isPositive();
  }
}
