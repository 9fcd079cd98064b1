package dev.agentmemory.agents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.agents.HookCapture.Moment;
import dev.agentmemory.agents.event.AgentMetadata;
import dev.agentmemory.agents.event.Origin;
import dev.agentmemory.agents.internal.TurnIds;
import dev.agentmemory.text.RecalledText;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventRole;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.SessionId;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

final class HookReaderTest {

  private static final String CLAUDE = "735ac21c-f8a8-4ecb-a1c6-06f1193e0901";

  static List<Path> payloads() {
    return Recorded.payloads();
  }

  @ParameterizedTest
  @MethodSource("payloads")
  void recordedPayload_isUnderstood(Path file) {
    HookCapture capture = HookReader.read(Recorded.message(file));

    assertThat(capture.agent()).isEqualTo(Recorded.agent(file));
    assertThat(capture.notes()).doesNotContain("unknown event");
    assertThat(capture.events()).allMatch(event -> event.timestamp().toEpochMilli() > 0);
    assertThat(capture.events())
        .noneMatch(event ->
            event.toString().contains("MARK-") || event.toString().contains("originalFile"));
  }

  @ParameterizedTest
  @CsvSource({
    "claude-code/SessionStart.startup, SESSION_START",
    "claude-code/SessionStart.compact, RESTART",
    "claude-code/UserPromptSubmit, PROMPT",
    "claude-code/PostToolBatch, TOOL",
    "claude-code/Stop, TURN_END",
    "claude-code/SubagentStop, SUBAGENT",
    "claude-code/PostCompact.manual, COMPACTION",
    "claude-code/SessionEnd.other, SESSION_END",
    "claude-code/Notification, OTHER",
    "codex-cli/UserPromptSubmit, PROMPT",
    "codex-cli/Stop, TURN_END",
    "gemini-cli/BeforeAgent, PROMPT",
    "gemini-cli/AfterAgent, TURN_END",
    "copilot-cli/userPromptSubmitted, PROMPT",
    "copilot-cli/Stop, TURN_END",
    "opencode/chat.message, PROMPT",
    "opencode/event.session.idle, TURN_END"
  })
  void event_hasItsMoment(String name, Moment moment) {
    assertThat(Recorded.read(name + ".json").moment()).isEqualTo(moment);
  }

  @Test
  void prompt_isAPersonsMessage() {
    HookCapture capture = Recorded.read("claude-code/UserPromptSubmit.json");

    assertThat(capture.prompt()).contains("TASK-A please write notes");
    assertThat(capture.session()).contains(new SessionId(CLAUDE));
    assertThat(capture.directory()).contains(Path.of("/home/dev/project"));
    Event event = only(capture);
    assertThat(event.type()).isEqualTo(EventType.USER_MESSAGE);
    assertThat(event.role()).isEqualTo(EventRole.USER);
    assertThat(event.text()).isEqualTo("TASK-A please write notes");
    assertThat(event.metadata())
        .containsEntry(AgentMetadata.ORIGIN, "person")
        .containsEntry("permission_mode", "default");
  }

  @Test
  void promptOfAProgramOnTheCommandLine_isNoPersons() {
    HookMessage message = Recorded.message("claude-code/UserPromptSubmit.json");
    var headless =
        new HookMessage(
            message.agent(),
            message.event(),
            message.body(),
            Map.of("CLAUDE_CODE_ENTRYPOINT", "sdk-cli"),
            message.received());

    HookCapture capture = HookReader.read(headless);

    assertThat(capture.prompt()).isPresent();
    assertThat(only(capture).role()).isEqualTo(EventRole.SYSTEM);
  }

  @Test
  void taskNotification_isOfTheSystem_andNoPrompt() {
    HookCapture capture = Recorded.read("claude-code/UserPromptSubmit.task_notification.json");

    assertThat(capture.prompt()).isEmpty();
    assertThat(only(capture).role()).isEqualTo(EventRole.SYSTEM);
    assertThat(only(capture).metadata()).containsEntry(AgentMetadata.ORIGIN, "program");
  }

  @Test
  void hookContext_isCutOutOfThePrompt() {
    HookCapture capture = Recorded.read("gemini-cli/BeforeAgent.json");

    assertThat(capture.prompt()).contains("TASK-A please");
    assertThat(only(capture).text()).isEqualTo("TASK-A please");
  }

  @Test
  void recalledText_isNeverStoredAsSaid() {
    String recalled = RecalledText.wrap("We use Postgres.");
    for (String body :
        List.of(
            payload("UserPromptSubmit", "prompt", recalled + "\n\nGo on."),
            payload("Stop", "last_assistant_message", "Yes.\n" + recalled),
            payload("PostToolUse", "tool_response", recalled))) {
      HookCapture capture =
          HookReader.read(
              new HookMessage(Agent.CLAUDE_CODE, "", body, Map.of(), Recorded.RECEIVED));
      assertThat(capture.events()).hasSize(1);
      assertThat(capture.toString()).doesNotContain("Postgres");
    }
  }

  @Test
  void answerBeforeRecalledLines_isKept() {
    String recalled = RecalledText.wrap("We use Postgres.");
    String rest = recalled.substring(recalled.indexOf('\n') + 1);
    String body = payload("Stop", "last_assistant_message", "As noted.\n" + rest);
    HookCapture capture =
        HookReader.read(new HookMessage(Agent.CLAUDE_CODE, "", body, Map.of(), Recorded.RECEIVED));
    assertThat(only(capture).text()).isEqualTo("As noted.");
  }

  private static String payload(String event, String field, String text) {
    return dev.agentmemory.agents.internal.PayloadFields.JSON
        .createObjectNode()
        .put("session_id", "s1")
        .put("hook_event_name", event)
        .put(field, text)
        .toString();
  }

  @Test
  void toolCall_hasInputResultAndId() {
    Event event = only(Recorded.read("claude-code/PostToolUse.Bash.json"));

    assertThat(event.type()).isEqualTo(EventType.TOOL_RESULT);
    assertThat(event.role()).isEqualTo(EventRole.TOOL);
    assertThat(event.text()).isEqualTo("hello\nCLAUDE.md");
    assertThat(event.metadata())
        .containsEntry(AgentMetadata.TOOL, "Bash")
        .containsEntry(AgentMetadata.TOOL_USE, "toolu_660daaef1a903")
        .doesNotContainKey(AgentMetadata.FAILED);
    assertThat(event.metadata().get(AgentMetadata.TOOL_INPUT)).contains("echo hello; ls");
  }

  @Test
  void failure_isMarked() {
    Event event = only(Recorded.read("claude-code/PostToolUseFailure.Bash.json"));

    assertThat(event.text()).startsWith("Exit code 2");
    assertThat(event.metadata()).containsEntry(AgentMetadata.FAILED, "true");
    assertThat(only(Recorded.read("copilot-cli/postToolUseFailure.view.json")).metadata())
        .containsEntry(AgentMetadata.FAILED, "true");
    assertThat(only(Recorded.read("gemini-cli/AfterTool.read_file.json")).metadata())
        .containsEntry(AgentMetadata.FAILED, "true");
  }

  @Test
  void callInABatch_isTheSameEvent() {
    assertThat(only(Recorded.read("claude-code/PostToolBatch.json")).id())
        .isEqualTo(only(Recorded.read("claude-code/PostToolUse.Bash.json")).id());
  }

  @Test
  void bothFormsOfCopilot_areTheSameEvents() {
    for (String pair :
        List.of(
            "sessionStart.new SessionStart.new",
            "userPromptSubmitted UserPromptSubmit",
            "postToolUse.bash PostToolUse.Bash",
            "sessionEnd.complete SessionEnd.complete")) {
      String[] names = pair.split(" ", -1);
      assertThat(only(Recorded.read("copilot-cli/" + names[0] + ".json")).id())
          .as(pair)
          .isEqualTo(only(Recorded.read("copilot-cli/" + names[1] + ".json")).id());
    }
  }

  @Test
  void copilotWithTheSettingsOfClaudeCode_isCopilot() {
    HookMessage own = Recorded.message("copilot-cli/UserPromptSubmit.json");
    var foreign =
        new HookMessage(Agent.CLAUDE_CODE, own.event(), own.body(), Map.of(), own.received());

    assertThat(HookReader.read(foreign)).isEqualTo(HookReader.read(own));
  }

  @Test
  void subagent_isASessionOfItsOwn_thatKnowsItsParent() {
    HookCapture start = Recorded.read("claude-code/SubagentStart.json");
    HookCapture stop = Recorded.read("claude-code/SubagentStop.json");
    var child = new SessionId(CLAUDE + ":ad7623ee062bb5837");

    assertThat(start.session()).contains(child);
    assertThat(start.events())
        .extracting(Event::type)
        .containsExactly(EventType.SUBAGENT_START, EventType.SESSION_START);
    assertThat(start.events().getFirst().session()).isEqualTo(new SessionId(CLAUDE));
    assertThat(start.events().getLast().session()).isEqualTo(child);
    assertThat(start.events().getLast().metadata()).containsEntry(AgentMetadata.PARENT, CLAUDE);
    assertThat(stop.events().getFirst().session()).isEqualTo(child);
    assertThat(stop.transcript().orElseThrow().toString())
        .endsWith("agent-ad7623ee062bb5837.jsonl");
  }

  @Test
  void subagentWithoutAType_isTheProgramsOwn_andSaysNothing() {
    HookMessage own = Recorded.message("claude-code/SubagentStop.json");
    String body = own.body().replace("\"agent_type\":\"general-purpose\"", "\"agent_type\":\"\"");
    assertThat(body).isNotEqualTo(own.body());
    var compacting = new HookMessage(own.agent(), own.event(), body, Map.of(), own.received());

    HookCapture read = HookReader.read(compacting);

    assertThat(read.events()).isEmpty();
    assertThat(read.moment()).isEqualTo(HookCapture.Moment.SUBAGENT);
  }

  @Test
  void promptOfASubagentOfCopilot_isTheAgents_andOfItsParent() {
    String body =
        "{\"sessionId\":\"child\",\"agentId\":\"child\",\"parentAgentId\":\"parent\","
            + "\"timestamp\":1795637916035,\"cwd\":\"/p\",\"prompt\":\"Look into it\"}";
    var message =
        new HookMessage(Agent.COPILOT, "userPromptSubmitted", body, Map.of(), Recorded.RECEIVED);

    Event prompt = HookReader.read(message).events().getFirst();

    assertThat(prompt.session()).isEqualTo(new SessionId("parent"));
    assertThat(prompt.metadata()).containsEntry(AgentMetadata.ORIGIN, Origin.AGENT.word());
    assertThat(prompt.id()).isEqualTo(new TurnIds("copilot").prompt("parent", "Look into it"));
  }

  @Test
  void resumption_isAnotherStart_retryIsNot() {
    HookMessage resume = Recorded.message("claude-code/SessionStart.resume.json");
    var later =
        new HookMessage(
            resume.agent(),
            resume.event(),
            resume.body(),
            Map.of(),
            resume.received().plusSeconds(60));

    assertThat(HookReader.read(resume)).isEqualTo(HookReader.read(resume));
    assertThat(only(HookReader.read(resume)).id()).isNotEqualTo(only(HookReader.read(later)).id());
  }

  @Test
  void hugeText_keepsHeadAndTail_withSizeAndHash() {
    String text = "a" + "ä".repeat(1 << 20) + "z";
    HookCapture capture =
        HookReader.read(
            new HookMessage(
                Agent.CLAUDE_CODE,
                "UserPromptSubmit",
                payload("UserPromptSubmit", "prompt", text),
                Map.of(),
                Recorded.RECEIVED));

    Event event = only(capture);
    assertThat(event.text().getBytes(StandardCharsets.UTF_8).length).isBetween(900_000, 1 << 20);
    assertThat(event.text()).startsWith("aä").endsWith("äz").doesNotContain("\uFFFD");
    assertThat(event.metadata())
        .containsEntry(AgentMetadata.TEXT_BYTES, Integer.toString((2 << 20) + 2))
        .containsKey(AgentMetadata.TEXT_HASH);
  }

  @Test
  void unknownEvent_isKept() {
    HookCapture capture =
        HookReader.read(
            new HookMessage(
                Agent.CODEX,
                "PostTelepathy",
                "{\"session_id\":\"s1\",\"strength\":7,\"detail\":{\"a\":[1]}}",
                Map.of(),
                Recorded.RECEIVED));

    assertThat(only(capture).role()).isEqualTo(EventRole.SYSTEM);
    assertThat(only(capture).metadata())
        .containsEntry("strength", "7")
        .containsEntry("detail", "{\"a\":[1]}");
  }

  @Test
  void payloadWithoutSession_hasNoEvents() {
    for (String body :
        List.of("", "[]", "null", "{", "{\"prompt\":\"x\"}", "{\"session_id\":\"\"}")) {
      HookCapture capture =
          HookReader.read(
              new HookMessage(
                  Agent.CLAUDE_CODE, "UserPromptSubmit", body, Map.of(), Recorded.RECEIVED));
      assertThat(capture.events()).isEmpty();
      assertThat(capture.notes()).isNotEmpty();
    }
  }

  private static Event only(HookCapture capture) {
    assertThat(capture.events()).hasSize(1);
    return capture.events().getFirst();
  }

  @Test
  void codex_subagent_isASessionOfItsOwn_thatKnowsItsParent() {
    String payload =
        "{\"session_id\":\"root\",\"turn_id\":\"t\",\"agent_id\":\"child\",\"agent_type\":\"default\","
            + "\"cwd\":\"/home/dev/project\",\"transcript_path\":\"/home/dev/.codex/sessions/root.jsonl\","
            + "\"agent_transcript_path\":\"/home/dev/.codex/sessions/child.jsonl\","
            + "\"last_assistant_message\":\"There are 3 files.\"}";

    assertFamily(
        read(Agent.CODEX, "SubagentStart", payload), read(Agent.CODEX, "SubagentStop", payload));
    assertThat(read(Agent.CODEX, "SubagentStop", payload).transcript())
        .contains(Path.of("/home/dev/.codex/sessions/child.jsonl"));
    assertThat(read(Agent.CODEX, "SubagentStop", payload).events())
        .anyMatch(event ->
            event.type() == EventType.ASSISTANT_MESSAGE && event.session().value().equals("child"));
  }

  @Test
  void cursor_subagent_isASessionOfItsOwn_thatKnowsItsParent() {
    String start =
        "{\"conversation_id\":\"root\",\"parent_conversation_id\":\"root\",\"subagent_id\":\"child\","
            + "\"subagent_type\":\"explore\",\"task\":\"count\"}";
    String stop =
        "{\"conversation_id\":\"root\",\"subagent_type\":\"explore\",\"status\":\"completed\","
            + "\"summary\":\"3 files\",\"agent_transcript_path\":"
            + "\"/home/dev/.cursor/projects/p/agent-transcripts/root/subagents/child.jsonl\"}";

    assertFamily(
        read(Agent.CURSOR, "subagentStart", start), read(Agent.CURSOR, "subagentStop", stop));
    HookCapture nameless =
        read(Agent.CURSOR, "subagentStop", "{\"conversation_id\":\"root\",\"summary\":\"x\"}");
    assertThat(nameless.session()).contains(new SessionId("root"));
    assertThat(nameless.events()).isEmpty();
  }

  private static void assertFamily(HookCapture start, HookCapture stop) {
    assertThat(start.session()).contains(new SessionId("child"));
    assertThat(start.events())
        .extracting(event -> event.session().value() + " " + event.type())
        .containsExactly("root SUBAGENT_START", "child SESSION_START");
    assertThat(start.events().getLast().metadata()).containsEntry(AgentMetadata.PARENT, "root");
    assertThat(stop.session()).contains(new SessionId("child"));
    assertThat(stop.events())
        .filteredOn(event -> event.type() == EventType.SUBAGENT_STOP)
        .singleElement()
        .matches(event -> event.session().value().equals("root"))
        .matches(event -> event.metadata().getOrDefault(AgentMetadata.CHILD, "").equals("child"));
  }

  @Test
  void turnWithoutText_isNoEvent_butAToolsEmptyResultIs() {
    String prompt =
        "{\"session_id\":\"s\",\"prompt_id\":\"p\",\"conversation_id\":\"s\",\"prompt\":\"\","
            + "\"prompt_response\":\"\",\"last_assistant_message\":\"\",\"text\":\"\"}";
    for (Agent agent : Agent.values()) {
      for (String event : List.of("UserPromptSubmit", "BeforeAgent", "AfterAgent", "Stop")) {
        assertThat(read(agent, event, prompt).events())
            .as(agent + " " + event)
            .noneMatch(one -> one.type().needsText() && one.text().isBlank());
      }
    }
    for (String response :
        List.of("\"\"", "null", "[]", "{}", "{\"stdout\":\"\",\"stderr\":\"\"}")) {
      String tool =
          "{\"session_id\":\"s\",\"prompt_id\":\"p\",\"tool_name\":\"Bash\",\"tool_use_id\":\"t\","
              + "\"tool_input\":{\"command\":\"true\"},\"tool_response\":"
              + response
              + "}";
      assertThat(read(Agent.CLAUDE_CODE, "PostToolUse", tool).events())
          .as(response)
          .singleElement()
          .matches(event -> event.type() == EventType.TOOL_RESULT);
    }
  }

  private static HookCapture read(Agent agent, String event, String body) {
    return HookReader.read(
        new HookMessage(agent, event, body, Map.of(), Instant.parse("2026-01-01T00:00:00Z")));
  }
}
