package dev.agentmemory.daemon.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.agentmemory.agents.project.ExcludedProjects;
import dev.agentmemory.cli.terminal.ExitCodes;
import dev.agentmemory.daemon.Daemon;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `memory import` with a daemon.
class ImportCommandTest {

  private static final Path TRANSCRIPTS =
      Path.of("../memory-agents/src/test/resources/agents/transcripts");

  @TempDir private Path folder;

  private Daemon daemon;

  @BeforeEach
  void start() {
    daemon = new Cli(folder).daemon("search.embeddings=none");
  }

  @AfterEach
  void stop() {
    daemon.close();
  }

  @ParameterizedTest
  @CsvSource({
    "claude-code, claude-code.tools-and-subagent.jsonl, 13",
    "claude-code, claude-code.subagent.jsonl, 3",
    "codex, codex-cli.rollout.jsonl, 7",
    "gemini, gemini-cli.session.jsonl, 7",
    "copilot, copilot-cli.events.jsonl, 7",
    "opencode, opencode.db.json, 6"
  })
  @Tag("slow")
  void import_twice_storesOnce(String agent, String name, long events) throws IOException {
    String file = TRANSCRIPTS.resolve(name).toString();

    JsonNode dry = run("import", agent, file, "--dry-run");
    JsonNode first = run("import", agent, file);
    JsonNode second = run("import", agent, file);
    JsonNode again = run("import", agent, file, "--again");

    assertThat(dry.path("events").asLong()).isEqualTo(events);
    assertThat(dry.path("stored").asLong()).isZero();
    assertThat(first.path("stored").asLong()).isEqualTo(events);
    assertThat(second.path("events").asLong()).isZero();
    assertThat(again.path("known").asLong()).isEqualTo(events);
    assertThat(again.path("stored").asLong()).isZero();
    assertThat(again.path("refused").asLong()).isZero();
  }

  @Test
  void import_withoutASource_isOfAllAgentsThatHaveTranscripts() throws IOException {
    Path home = folder.resolve("home");
    Path claude = Files.createDirectories(home.resolve(".claude/projects/p"));
    Path codex = Files.createDirectories(home.resolve(".codex/sessions/2026/03/01"));
    Files.copy(TRANSCRIPTS.resolve("claude-code.subagent.jsonl"), claude.resolve("s.jsonl"));
    Files.copy(TRANSCRIPTS.resolve("codex-cli.rollout.jsonl"), codex.resolve("rollout-s.jsonl"));
    var cli = new Cli(folder, Optional.empty(), Map.of("HOME", home.toString()));

    Cli.Said said = cli.run("import", "--json");

    assertThat(said.code()).as(said.err()).isEqualTo(ExitCodes.OK);
    assertThat(said.out().lines().map(ImportCommandTest::agentAndStored))
        .containsExactly("claude-code 3", "codex 7");
    assertThat(cli.run("import").out().lines().filter(line -> line.contains("stored")))
        .containsExactly("0 stored, 0 known, 0 refused", "0 stored, 0 known, 0 refused");
  }

  private static String agentAndStored(String line) {
    try {
      JsonNode reply = new JsonMapper().readTree(line);
      return reply.path("agent").asText() + " " + reply.path("stored").asLong();
    } catch (IOException e) {
      throw new AssertionError(line, e);
    }
  }

  @Test
  void import_withoutASource_whereNoAgentHasTranscripts_saysWhatToName() throws IOException {
    Path home = Files.createDirectories(folder.resolve("home"));

    Cli.Said said =
        new Cli(folder, Optional.empty(), Map.of("HOME", home.toString())).run("import");

    assertThat(said.code()).isEqualTo(ExitCodes.FAILED);
    assertThat(said.err()).contains("no agent has sessions").contains("name the agent");
  }

  @Test
  void import_sessionOfAProject_goesToItsWorkspace_orToTheNamedOne() throws IOException {
    String file = TRANSCRIPTS.resolve("codex-cli.rollout.jsonl").toString();
    run("import", "codex", file);
    run("import", "codex", file, "--again", "--workspace", "other");

    String workspaces = new Cli(folder).run("workspaces").out();
    assertThat(workspaces).contains("project").contains("other");
  }

  @Test
  void import_sessionOfAProjectWithAnIgnoreFile_isLeftOut() throws IOException {
    Path project = Files.createDirectories(folder.resolve("project"));
    Path file = transcriptOf(project);
    Files.createFile(project.resolve(ExcludedProjects.IGNORE_FILE));

    JsonNode reply = run("import", "claude-code", file.toString());

    assertThat(reply.path("excluded").asLong()).isEqualTo(13);
    assertThat(reply.path("events").asLong()).isZero();
    assertThat(reply.path("stored").asLong()).isZero();
  }

  @Test
  void import_sessionOfAnExcludedProject_isLeftOut() throws IOException {
    Path project = Files.createDirectories(folder.resolve("project"));
    Path file = transcriptOf(project);
    daemon.close();
    daemon = new Cli(folder).daemon("search.embeddings=none", "agents.excluded=" + project);

    JsonNode reply = run("import", "claude-code", file.toString());

    assertThat(reply.path("excluded").asLong()).isEqualTo(13);
    assertThat(reply.path("stored").asLong()).isZero();
  }

  @Test
  void import_privateSession_isLeftOut_withItsSubagentsAndWhatFollows() throws IOException {
    Path session = Files.writeString(folder.resolve("s1.jsonl"), line("u1", "", "#private hello"));
    Path subagents = Files.createDirectories(folder.resolve("s1/subagents"));
    Files.writeString(subagents.resolve("agent-a.jsonl"), line("u2", "a", "task"));
    assertThat(
            run("import", "claude-code", folder.toString(), "--dry-run").path("private").asLong())
        .isEqualTo(4);
    JsonNode first = run("import", "claude-code", folder.toString());
    Files.writeString(session, line("u3", "", "more"), StandardOpenOption.APPEND);
    JsonNode second = run("import", "claude-code", folder.toString());

    assertThat(first.path("private").asLong()).isEqualTo(4);
    assertThat(first.path("stored").asLong() + second.path("stored").asLong()).isZero();
    assertThat(second.path("private").asLong()).isOne();
    assertThat(new Cli(folder).run("status").out()).contains("1 session, by the word #private");
    assertThat(new Cli(folder).run("import", "claude-code", folder.toString(), "--again").out())
        .contains("left out: 5 events of private sessions");
  }

  private static String line(String uuid, String subagent, String text) {
    return "{\"parentUuid\":null,\"promptId\":\"p%s\",\"type\":\"user\",\"agentId\":\"%s\",\"message\":{\"role\":\"user\",\"content\":\"%s\"},\"uuid\":\"%s\",\"timestamp\":\"2026-01-01T00:00:00Z\",\"sessionId\":\"s1\",\"cwd\":\"/home/dev/project\"}\n"
        .formatted(uuid, subagent, text, uuid);
  }

  @Test
  void import_whileCaptureIsOff_isLeftOut_alsoForOneProject() throws IOException {
    Path project = Files.createDirectories(folder.resolve("project"));
    String file = transcriptOf(project).toString();
    run("capture", "off");
    JsonNode off = run("import", "claude-code", file);
    run("capture", "on");
    run("capture", "off", "--project", project.toString());
    JsonNode offHere = run("import", "claude-code", file, "--again", "--workspace", "other");
    run("capture", "on", "--project", project.toString());
    JsonNode on = run("import", "claude-code", file, "--again");

    assertThat(off.path("capture_off").asLong()).isEqualTo(13);
    assertThat(offHere.path("capture_off").asLong()).isEqualTo(13);
    assertThat(off.path("stored").asLong() + offHere.path("stored").asLong()).isZero();
    assertThat(on.path("stored").asLong()).isEqualTo(13);
    assertThat(on.path("capture_off").asLong()).isZero();
  }

  private Path transcriptOf(Path project) throws IOException {
    String recorded = Files.readString(TRANSCRIPTS.resolve("claude-code.tools-and-subagent.jsonl"));
    return Files.writeString(
        folder.resolve("session.jsonl"), recorded.replace("/home/dev/project", project.toString()));
  }

  @Test
  void import_grownTranscript_readsOnlyWhatIsNew() throws IOException {
    byte[] whole = Files.readAllBytes(TRANSCRIPTS.resolve("gemini-cli.session.jsonl"));
    Path file = folder.resolve("session-1.jsonl");
    Files.write(file, Arrays.copyOf(whole, whole.length / 2));
    long first = run("import", "gemini", file.toString()).path("stored").asLong();
    Files.write(
        file, Arrays.copyOfRange(whole, whole.length / 2, whole.length), StandardOpenOption.APPEND);
    JsonNode rest = run("import", "gemini", file.toString());

    assertThat(first).isPositive();
    assertThat(rest.path("stored").asLong()).isEqualTo(7 - first);
    assertThat(rest.path("known").asLong()).isZero();
    assertThat(rest.path("bytes").asLong()).isLessThan(whole.length);
  }

  @Test
  void import_since_leavesOutWhatIsOlder_andKeepsNoPlace() throws IOException {
    String file = TRANSCRIPTS.resolve("codex-cli.rollout.jsonl").toString();

    assertThat(run("import", "codex", file, "--since", "2030-01-01").path("events").asLong())
        .isZero();
    assertThat(run("import", "codex", file).path("stored").asLong()).isEqualTo(7);
  }

  @Test
  void import_knowledgeGraph_isMemories_alsoTheSecondTime() throws IOException {
    Path file = folder.resolve("memory.jsonl");
    Files.writeString(
        file,
        """
        {"type":"entity","name":"billing","entityType":"service","observations":["uses Postgres"]}
        {"type":"relation","from":"billing","to":"ledger","relationType":"writes to"}
        not json
        """);
    for (int i = 0; i < 2; i++) {
      JsonNode reply = run("import", "memory-jsonl", file.toString());
      assertThat(reply.path("memories").asLong()).isEqualTo(2);
      assertThat(reply.path("refused").asLong()).isZero();
      assertThat(reply.path("skipped").asLong()).isOne();
    }
    assertThat(new Cli(folder).run("memories", "list").out())
        .containsOnlyOnce("billing (service): uses Postgres")
        .containsOnlyOnce("billing writes to ledger");
  }

  @Test
  void import_withoutDaemon_saysSo() {
    daemon.close();

    assertThat(new Cli(folder).run("import", "codex", TRANSCRIPTS.toString()).code())
        .isEqualTo(ExitCodes.UNREACHABLE);
  }

  private JsonNode run(String... words) throws IOException {
    String[] line = Arrays.copyOf(words, words.length + 1);
    line[words.length] = "--json";
    Cli.Said said = new Cli(folder).run(line);
    assertThat(said.code()).as(said.err()).isEqualTo(ExitCodes.OK);
    return new JsonMapper().readTree(said.out());
  }
}
