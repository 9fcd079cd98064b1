package dev.agentmemory.daemon.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.agentmemory.agents.Agent;
import dev.agentmemory.agents.project.ProjectWorkspaces;
import dev.agentmemory.api.injection.InjectionMoment;
import dev.agentmemory.api.injection.UsedInjection;
import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.client.DaemonFile;
import dev.agentmemory.client.Endpoint;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.daemon.PackagedDaemon;
import dev.agentmemory.daemon.agent.ScratchHome.Ended;
import dev.agentmemory.testkit.Await;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The hooks of every agent as `memory install` writes them, with the packaged daemon up, stopped,
/// killed and started again, and a data directory with a long path.
class InstalledHooksIT {

  private static final Instant END = Instant.parse("2200-01-01T00:00:00Z");
  private static final Set<EventType> BORDERS =
      Set.of(
          EventType.SESSION_START,
          EventType.SESSION_END,
          EventType.SUBAGENT_START,
          EventType.SUBAGENT_STOP);

  @TempDir private Path folder;

  private ScratchHome home;

  /// One hook of a recorded session.
  private record Step(Agent agent, String event, String payload) {

    boolean isStart() {
      return event.equalsIgnoreCase("SessionStart") || event.equals("session.created");
    }
  }

  private static final List<Step> RECORDED =
      List.of(
          new Step(Agent.CLAUDE_CODE, "SessionStart", "claude-code/SessionStart.startup"),
          new Step(Agent.CLAUDE_CODE, "UserPromptSubmit", "claude-code/UserPromptSubmit"),
          new Step(Agent.CLAUDE_CODE, "SubagentStop", "claude-code/SubagentStop"),
          new Step(Agent.CLAUDE_CODE, "Stop", "claude-code/Stop"),
          new Step(Agent.CLAUDE_CODE, "SessionEnd", "claude-code/SessionEnd.other"),
          new Step(Agent.CODEX, "SessionStart", "codex-cli/SessionStart.startup"),
          new Step(Agent.CODEX, "UserPromptSubmit", "codex-cli/UserPromptSubmit"),
          new Step(Agent.CODEX, "Stop", "codex-cli/Stop"),
          new Step(Agent.CODEX, "SessionEnd", "codex-cli/SessionEnd.other"),
          new Step(Agent.GEMINI, "SessionStart", "gemini-cli/SessionStart.startup"),
          new Step(Agent.GEMINI, "BeforeAgent", "gemini-cli/BeforeAgent"),
          new Step(Agent.GEMINI, "AfterAgent", "gemini-cli/AfterAgent"),
          new Step(Agent.GEMINI, "SessionEnd", "gemini-cli/SessionEnd.exit"),
          new Step(Agent.COPILOT, "sessionStart", "copilot-cli/sessionStart.new"),
          new Step(Agent.COPILOT, "userPromptSubmitted", "copilot-cli/userPromptSubmitted"),
          new Step(Agent.COPILOT, "agentStop", "copilot-cli/agentStop"),
          new Step(Agent.COPILOT, "sessionEnd", "copilot-cli/sessionEnd.complete"),
          new Step(Agent.OPENCODE, "session.created", "opencode/event.session.created"),
          new Step(Agent.OPENCODE, "chat.message", "opencode/chat.message"));

  /// Where the agents write the transcripts of these sessions, and what `memory import` calls them.
  private static final Map<String, String> TRANSCRIPTS =
      Map.of(
          "claude-code.tools-and-subagent.jsonl",
          ".claude/projects/-home-dev-project/735ac21c-f8a8-4ecb-a1c6-06f1193e0901.jsonl",
          "claude-code.subagent.jsonl",
          ".claude/projects/-home-dev-project/735ac21c-f8a8-4ecb-a1c6-06f1193e0901/subagents/"
              + "agent-ad7623ee062bb5837.jsonl",
          "codex-cli.rollout.jsonl",
          ".codex/sessions/2026/11/22/"
              + "rollout-2026-11-22T10-17-50-01a202c3-1a80-78d3-9969-395c7f4bf406.jsonl",
          "gemini-cli.session.jsonl",
          ".gemini/tmp/project/chats/session-2026-11-22T10-19-5749af02.jsonl",
          "copilot-cli.events.jsonl",
          ".copilot/session-state/35a42d23-05bf-4f03-8935-bf3f27ab1f33/events.jsonl");

  @BeforeEach
  void install() throws Exception {
    // Longer than the path of a Unix socket may be.
    Path data = folder.resolve("x".repeat(100)).resolve("data with a space");
    home = ScratchHome.in(folder, data);
    for (Agent agent : Agent.values()) {
      PackagedDaemon.Run run = home.run("install", agent.id());
      assertThat(run.exit()).as(run.output()).isZero();
    }
  }

  @Test
  void turns_byHookBySpoolAndByTranscript_areOneEventEach_andNothingIsSaidWithoutADaemon()
      throws Exception {
    try (PackagedDaemon daemon = home.start()) {
      assertThat(daemon.client().serving()).isTrue();
      for (Step step : RECORDED) {
        Ended ended = run(step);
        assertThat(ended.code()).as("%s", step).isZero();
        assertThat(ended.err()).as("%s", step).isEmpty();
        assertContextOrNothing(step, ended.out());
      }
      home.awaitEmptySpool();
    }
    // Stopped.
    runSilently();
    Step start = RECORDED.getFirst();
    assertThat(run(start)).isEqualTo(Ended.SILENT);
    Await.until("the daemon that the hook has started serves", this::isServed);
    home.awaitEmptySpool();

    killTheDaemon();
    runSilently();
    for (Map.Entry<String, String> transcript : TRANSCRIPTS.entrySet()) {
      home.transcript(transcript.getKey(), transcript.getValue());
    }
    try (PackagedDaemon daemon = home.start()) {
      home.awaitEmptySpool();
      assertThat(daemon.client().serving()).isTrue();
      importAll("expected");
      List<Event> expected = turns("expected");
      Await.until(
          "the transcripts are read", () -> ids(turns(workspace())).containsAll(ids(expected)));
      assertThat(expected).hasSizeGreaterThan(20);
      assertThat(turns(workspace()))
          .extracting(Event::id, Event::session, Event::text)
          .containsExactlyInAnyOrderElementsOf(
              expected.stream()
                  .map(event -> tuple(event.id(), event.session(), event.text()))
                  .toList());
    }
  }

  @Test
  void sessionStart_isGivenWhatIsKnown_inTheFormOfEachAgent() throws Exception {
    try (PackagedDaemon daemon = home.start()) {
      assertThat(daemon.client().serving()).isTrue();
      assertThat(Path.of(DaemonFile.read(home.data).socket())).startsWith(home.home);
      String fact = "The retry policy of the billing service is full jitter";
      PackagedDaemon.Run remembered =
          home.run("remember", fact, "--kind", "decision", "--workspace", workspace());
      assertThat(remembered.exit()).as(remembered.output()).isZero();
      for (Step step : RECORDED) {
        if (step.isStart()) {
          String out = given(step);
          assertThat(out).as("%s", step).contains("full jitter");
          assertContextOrNothing(step, out);
        }
      }
      home.awaitEmptySpool();
      // What a session was given is not stored as said.
      assertThat(turns(workspace())).noneMatch(event -> event.text().contains("jitter"));
      Await.until("what sessions were told is recorded", () -> told().contains("full jitter"));
    }
  }

  /// What sessions of the workspace were told at a start.
  private String told() {
    try (MemoryClient client = MemoryClient.connect(endpoint(workspace()))) {
      return Page.stream(PageRequest.of(1000), client.sessions()::list)
          .map(session -> client.recall().injections().list(session.id(), PageRequest.first()))
          .flatMap(page -> page.items().stream())
          .map(UsedInjection::injection)
          .filter(told -> told.moment() == InjectionMoment.SESSION_START)
          .map(told -> told.text().orElse(""))
          .collect(Collectors.joining("\n"));
    }
  }

  private Endpoint endpoint(String workspace) {
    return Endpoint.find(home.data).withWorkspace(Optional.of(new WorkspaceName(workspace)));
  }

  /// What new sessions are given at a start. An answer that takes too long is none, on a machine
  /// that is busy.
  private String given(Step step) throws IOException, InterruptedException {
    String command = home.command(step.agent(), step.event());
    String out = "";
    for (int attempt = 1; attempt <= 20 && out.isEmpty(); attempt++) {
      String other =
          home.payload(step.payload())
              .replaceAll("(\"session_?[iI][dD]\":\"[^\"]+)", "$1-" + attempt);
      out = home.hook(command, other).out();
    }
    return out;
  }

  private Ended run(Step step) throws IOException, InterruptedException {
    String command = home.command(step.agent(), step.event());
    return home.hook(command, home.payload(step.payload()));
  }

  /// All but those that start a daemon.
  private void runSilently() throws IOException, InterruptedException {
    long before = home.spooled();
    long run = 0;
    for (Step step : RECORDED) {
      if (!step.isStart()) {
        assertThat(run(step)).as("%s", step).isEqualTo(Ended.SILENT);
        run++;
      }
    }
    assertThat(home.spooled() - before).isEqualTo(run);
  }

  private static void assertContextOrNothing(Step step, String out) throws IOException {
    if (!out.isEmpty()) {
      assertThat(step.event())
          .matches(
              "(?i)(sessionStart|UserPromptSubmit(ted)?|BeforeAgent"
                  + "|session\\.created|chat\\.message)");
      assertThat(new JsonMapper().readTree(out).isObject()).as(out).isTrue();
    }
  }

  private boolean isServed() {
    try (MemoryClient client = MemoryClient.connect(Endpoint.find(home.data))) {
      return client.serving();
    } catch (MemoryException e) {
      return false;
    }
  }

  private void killTheDaemon() throws IOException {
    ProcessHandle process = ProcessHandle.of(DaemonFile.read(home.data).pid()).orElseThrow();
    process.destroyForcibly();
    process.onExit().join();
    Files.delete(DaemonFile.in(home.data));
  }

  private String workspace() {
    return ProjectWorkspaces.DEFAULT.of(home.project()).value();
  }

  private void importAll(String workspace) throws IOException, InterruptedException {
    for (Map.Entry<String, String> transcript : TRANSCRIPTS.entrySet()) {
      String agent = transcript.getKey().replaceFirst("(-cli)?\\..*", "");
      PackagedDaemon.Run run =
          home.run(
              "import",
              agent,
              home.home.resolve(transcript.getValue()).toString(),
              "--again",
              "--workspace",
              workspace);
      assertThat(run.exit()).as(run.output()).isZero();
    }
  }

  private static List<String> ids(List<Event> events) {
    return events.stream().map(event -> event.id().value()).toList();
  }

  /// What was said and done, without the borders of sessions.
  private List<Event> turns(String workspace) {
    try (MemoryClient client = MemoryClient.connect(endpoint(workspace))) {
      return Page.stream(
              PageRequest.of(1000), page -> client.events().between(Instant.EPOCH, END, page))
          .filter(event -> !BORDERS.contains(event.type()))
          .toList();
    }
  }
}
