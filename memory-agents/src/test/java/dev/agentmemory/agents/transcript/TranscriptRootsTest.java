package dev.agentmemory.agents.transcript;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.agents.Agent;
import dev.agentmemory.agents.transcript.TranscriptRoots.Check;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TranscriptRootsTest {

  @TempDir Path home;
  private TranscriptRoots roots;
  private Path project;

  @BeforeEach
  void createFolders() throws IOException {
    roots = new TranscriptRoots(home, Map.of());
    project = Files.createDirectories(home.resolve(".claude/projects/-p"));
  }

  @Test
  void ownFile_isAllowed() throws IOException {
    Path file = Files.createFile(project.resolve("s.jsonl"));

    assertThat(roots.check(Agent.CLAUDE_CODE, file))
        .isEqualTo(new Check.Allowed(file.toRealPath()));
  }

  @Test
  void missingFile_isAbsent() throws IOException {
    assertThat(roots.check(Agent.CLAUDE_CODE, project.resolve("none.jsonl")))
        .isEqualTo(new Check.Absent(project.toRealPath().resolve("none.jsonl")));
    Path codex = home.resolve(".codex/sessions/rollout-1.jsonl");
    assertThat(roots.check(Agent.CODEX, codex)).isEqualTo(new Check.Absent(codex));
  }

  @Test
  void fileElsewhere_isRefused() throws IOException {
    Path file = Files.createFile(home.resolve("secret.jsonl"));

    assertThat(roots.check(Agent.CLAUDE_CODE, file)).isInstanceOf(Check.Refused.class);
    assertThat(roots.check(Agent.CLAUDE_CODE, project.resolve("../../../secret.jsonl")))
        .isInstanceOf(Check.Refused.class);
    assertThat(roots.check(Agent.CLAUDE_CODE, Path.of("secret.jsonl")))
        .isInstanceOf(Check.Refused.class);
    assertThat(roots.check(Agent.CODEX, Files.createFile(project.resolve("s.jsonl"))))
        .isInstanceOf(Check.Refused.class);
  }

  @Test
  void linkToAFile_isRefused() throws IOException {
    Path secret = Files.createFile(home.resolve("secret.jsonl"));
    Path link = Files.createSymbolicLink(project.resolve("s.jsonl"), secret);

    assertThat(roots.check(Agent.CLAUDE_CODE, link)).isInstanceOf(Check.Refused.class);
  }

  @Test
  void linkedFolderBelowARoot_isRefused() throws IOException {
    Path elsewhere = Files.createDirectory(home.resolve("elsewhere"));
    Files.createFile(elsewhere.resolve("s.jsonl"));
    Path link = Files.createSymbolicLink(project.resolveSibling("-q"), elsewhere);

    assertThat(roots.check(Agent.CLAUDE_CODE, link.resolve("s.jsonl")))
        .isInstanceOf(Check.Refused.class);
    assertThat(roots.files(Agent.CLAUDE_CODE).files()).isEmpty();
  }

  @Test
  void folderAndPipe_areRefused() throws Exception {
    Path pipe = project.resolve("pipe.jsonl");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();

    assertThat(roots.check(Agent.CLAUDE_CODE, project)).isInstanceOf(Check.Refused.class);
    assertThat(roots.check(Agent.CLAUDE_CODE, pipe)).isInstanceOf(Check.Refused.class);
  }

  @Test
  void linkedRoot_isTheUsersOwnAffair() throws IOException {
    Path disk = Files.createDirectories(home.resolve("disk/codex"));
    Files.createSymbolicLink(home.resolve(".codex"), disk);
    Path folder = Files.createDirectories(disk.resolve("sessions/2026")).toRealPath();
    Path file = folder.resolve("rollout-1.jsonl");
    Path named = home.resolve(".codex/sessions/2026/rollout-1.jsonl");

    assertThat(roots.check(Agent.CODEX, named)).isEqualTo(new Check.Absent(file));
    Files.createFile(file);
    assertThat(roots.check(Agent.CODEX, named)).isEqualTo(new Check.Allowed(file));
    // A place has the real path, by which the next start checks it.
    assertThat(roots.check(Agent.CODEX, file)).isEqualTo(new Check.Allowed(file));
  }

  @Test
  void movedFolder_comesBesideTheDefault() {
    Path moved = home.resolve("moved");
    var both = new TranscriptRoots(home, Map.of("CLAUDE_CONFIG_DIR", moved.toString()));

    assertThat(both.of(Agent.CLAUDE_CODE))
        .containsExactly(home.resolve(".claude/projects"), moved.resolve("projects"));
    assertThat(new TranscriptRoots(home, Map.of("CODEX_HOME", "relative")).of(Agent.CODEX))
        .containsExactly(home.resolve(".codex/sessions"));
  }

  @Test
  void files_areAllTranscripts_subagentsIncluded() throws IOException {
    Path subagents = Files.createDirectories(project.resolve("s/subagents"));
    Path own = Files.createFile(project.resolve("s.jsonl"));
    Path child = Files.createFile(subagents.resolve("agent-1.jsonl"));
    Files.createFile(project.resolve("notes.md"));
    Path chat = Files.createDirectories(home.resolve(".gemini/tmp/p/chats"));
    Path session = Files.createFile(chat.resolve("session-1.jsonl"));
    Files.createFile(chat.resolve("other.jsonl"));

    assertThat(roots.files(Agent.CLAUDE_CODE).files()).containsExactlyInAnyOrder(own, child);
    assertThat(roots.files(Agent.GEMINI).files()).containsExactly(session);
  }
}
