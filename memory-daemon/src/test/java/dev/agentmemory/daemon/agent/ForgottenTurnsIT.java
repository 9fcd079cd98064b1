package dev.agentmemory.daemon.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.agents.Agent;
import dev.agentmemory.agents.project.ProjectWorkspaces;
import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.client.Endpoint;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.daemon.PackagedDaemon;
import dev.agentmemory.testkit.bytes.ByteScanner;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.WorkspaceName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A forgotten session of an agent comes again in every way in which it can: by its hooks, from the
/// spool, with an import of its transcript, and in lines that a fork has copied.
class ForgottenTurnsIT {

  private static final Instant END = Instant.parse("2200-01-01T00:00:00Z");
  private static final String GONE = "zanzibarquux";
  private static final String SESSION = "735ac21c-f8a8-4ecb-a1c6-06f1193e0901";
  private static final String PARENT = "9fdb414f-2c08-4765-945e-5e76fc354ea4";
  private static final String FORK = "3add2f1a-7156-407f-beb7-5405c59768e4";
  private static final String FOLDER = ".claude/projects/-home-dev-project/";
  private static final List<String> HOOKS =
      List.of("SessionStart.startup", "UserPromptSubmit", "Stop", "SessionEnd.other");

  @TempDir private Path folder;

  private ScratchHome home;

  @BeforeEach
  void install() throws Exception {
    home = ScratchHome.in(folder, folder.resolve("data"));
    said("install", Agent.CLAUDE_CODE.id());
  }

  private String said(String... arguments) throws IOException, InterruptedException {
    PackagedDaemon.Run run = home.run(arguments);
    assertThat(run.exit()).as(run.output()).isZero();
    return run.output();
  }

  private String workspace() {
    return ProjectWorkspaces.DEFAULT.of(home.project()).value();
  }

  /// Says the word in short and in long texts.
  private static String marked(String recorded) {
    return recorded
        .replace("TASK-A", GONE)
        .replace("Done: wrote", GONE + " is done: wrote")
        .replace("first question", "first " + GONE)
        .replace("second question", GONE + "?");
  }

  private Path transcript(String name, String session) throws IOException {
    Path file = home.transcript(name, FOLDER + session + ".jsonl");
    return Files.writeString(file, marked(Files.readString(file)));
  }

  private void run(List<String> hooks) throws IOException, InterruptedException {
    for (String hook : hooks) {
      String event = hook.replaceFirst("\\..*", "");
      String payload = marked(home.payload("claude-code/" + hook));
      assertThat(home.hook(home.command(Agent.CLAUDE_CODE, event), payload).code()).isZero();
    }
  }

  private void importAgain(Path transcript) throws IOException, InterruptedException {
    said("import", "claude-code", transcript.toString(), "--again", "--workspace", workspace());
  }

  private void forget(String session) throws IOException, InterruptedException {
    said("forget", "--session", session, "--workspace", workspace(), "--yes");
  }

  private List<Event> events() {
    Endpoint endpoint =
        Endpoint.find(home.data).withWorkspace(Optional.of(new WorkspaceName(workspace())));
    try (MemoryClient client = MemoryClient.connect(endpoint)) {
      return Page.stream(
              PageRequest.of(1000), page -> client.events().between(Instant.EPOCH, END, page))
          .toList();
    }
  }

  private List<Event> events(String session) {
    return events().stream().filter(event -> event.session().value().equals(session)).toList();
  }

  /// A hook that reports the end of a session at another time reports another end, without a word.
  private void assertGone(String session) {
    assertThat(events(session))
        .filteredOn(event -> event.type() != EventType.SESSION_END || !event.text().isEmpty())
        .isEmpty();
    assertThat(events()).noneMatch(event -> event.text().contains(GONE));
  }

  private void assertNoBytes() throws IOException {
    assertThat(ByteScanner.scan(List.of(GONE), home.data).places(GONE)).isEmpty();
  }

  @Test
  void turnsOfAForgottenSession_byHookSpoolAndTranscript_areNotStoredAgain() throws Exception {
    Path transcript = transcript("claude-code.tools-and-subagent.jsonl", SESSION);
    try (PackagedDaemon daemon = home.start()) {
      run(HOOKS);
      home.awaitEmptySpool();
      importAgain(transcript);
      assertThat(events(SESSION))
          .hasSizeGreaterThan(10)
          .anyMatch(event -> event.text().contains(GONE));
      assertThat(ByteScanner.scan(List.of(GONE), home.data).count(GONE)).isPositive();

      forget(SESSION);
      assertGone(SESSION);
      assertNoBytes();

      run(HOOKS);
      home.awaitEmptySpool();
      importAgain(transcript);
      assertGone(SESSION);
      assertThat(daemon.client().serving()).isTrue();
    }
    // Without the first one, which starts a daemon.
    run(HOOKS.subList(1, HOOKS.size()));
    assertThat(home.spooled()).isEqualTo(HOOKS.size() - 1);
    try (PackagedDaemon daemon = home.start()) {
      home.awaitEmptySpool();
      importAgain(transcript);
      assertGone(SESSION);
      assertThat(said("status", "--workspace", workspace())).contains("erased");
      assertThat(said("search", GONE, "--workspace", workspace())).doesNotContain("please write");
      assertThat(daemon.client().serving()).isTrue();
    }
    assertNoBytes();
  }

  @Test
  void linesThatAForkHasCopied_areNotStoredAgain_alsoWithoutTheParent() throws Exception {
    Path parent = transcript("claude-code.parent-of-fork.jsonl", PARENT);
    Path fork = transcript("claude-code.fork-and-compact.jsonl", FORK);
    try (PackagedDaemon daemon = home.start()) {
      importAgain(parent);
      assertThat(events(PARENT)).filteredOn(event -> event.text().contains(GONE)).hasSize(2);
      forget(PARENT);
      assertGone(PARENT);

      importAgain(fork);
      assertThat(events(FORK)).extracting(Event::text).contains("third");
      assertGone(PARENT);

      // Without the parent nothing tells which lines are copied.
      Files.delete(parent);
      importAgain(fork);
      assertGone(PARENT);
      assertThat(events(FORK)).extracting(Event::text).contains("third");
      assertThat(daemon.client().serving()).isTrue();
    }
    assertNoBytes();
  }
}
