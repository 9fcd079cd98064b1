package dev.agentmemory.agents.transcript;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.agents.Agent;
import dev.agentmemory.agents.HookCapture;
import dev.agentmemory.agents.HookMessage;
import dev.agentmemory.agents.HookReader;
import dev.agentmemory.agents.Recorded;
import dev.agentmemory.agents.event.AgentMetadata;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A turn that comes by a hook and by the transcript is one event.
final class SameTurnTest {

  @ParameterizedTest
  @CsvSource({
    "CLAUDE_CODE, claude-code/UserPromptSubmit, claude-code.tools-and-subagent.jsonl",
    "CLAUDE_CODE, claude-code/UserPromptSubmit.task_notification, claude-code.tools-and-subagent.jsonl",
    "CLAUDE_CODE, claude-code/PostToolUse.Bash, claude-code.tools-and-subagent.jsonl",
    "CLAUDE_CODE, claude-code/PostToolUse.Write, claude-code.tools-and-subagent.jsonl",
    "CLAUDE_CODE, claude-code/PostToolUse.Read, claude-code.tools-and-subagent.jsonl",
    "CLAUDE_CODE, claude-code/PostToolUse.Edit, claude-code.tools-and-subagent.jsonl",
    "CLAUDE_CODE, claude-code/PostToolUse.Agent, claude-code.tools-and-subagent.jsonl",
    "CLAUDE_CODE, claude-code/PostToolUseFailure.Bash, claude-code.tools-and-subagent.jsonl",
    "CLAUDE_CODE, claude-code/PostToolBatch, claude-code.tools-and-subagent.jsonl",
    "CLAUDE_CODE, claude-code/SessionStart.startup, claude-code.tools-and-subagent.jsonl",
    "CLAUDE_CODE, claude-code/Stop, claude-code.tools-and-subagent.jsonl",
    "CLAUDE_CODE, claude-code/PostCompact.manual, claude-code.fork-and-compact.jsonl",
    "CLAUDE_CODE, claude-code/SessionStart.fork, claude-code.fork-and-compact.jsonl",
    "CODEX, codex-cli/SessionStart.startup, codex-cli.rollout.jsonl",
    "CODEX, codex-cli/UserPromptSubmit, codex-cli.rollout.jsonl",
    "CODEX, codex-cli/PostToolUse.Bash, codex-cli.rollout.jsonl",
    "CODEX, codex-cli/Stop, codex-cli.rollout.jsonl",
    "GEMINI, gemini-cli/SessionStart.startup, gemini-cli.session.jsonl",
    "GEMINI, gemini-cli/BeforeAgent, gemini-cli.session.jsonl",
    "GEMINI, gemini-cli/AfterTool.run_shell_command, gemini-cli.session.jsonl",
    "GEMINI, gemini-cli/AfterTool.mcp_memory_memory_search, gemini-cli.session.jsonl",
    "GEMINI, gemini-cli/AfterTool.read_file, gemini-cli.session.jsonl",
    "COPILOT, copilot-cli/sessionStart.new, copilot-cli.events.jsonl",
    "COPILOT, copilot-cli/userPromptSubmitted, copilot-cli.events.jsonl",
    "COPILOT, copilot-cli/postToolUse.bash, copilot-cli.events.jsonl",
    "COPILOT, copilot-cli/PostToolUse.Bash, copilot-cli.events.jsonl",
    "COPILOT, copilot-cli/postToolUse.memory_memory_search, copilot-cli.events.jsonl",
    "COPILOT, copilot-cli/postToolUseFailure.view, copilot-cli.events.jsonl",
    "OPENCODE, opencode/event.session.created, opencode.db.json",
    "OPENCODE, opencode/chat.message, opencode.db.json",
    "OPENCODE, opencode/tool.execute.after, opencode.db.json"
  })
  void recordedHook_isAnEventOfTheTranscript(Agent agent, String payload, String transcript)
      throws IOException {
    HookCapture capture = Recorded.read(payload + ".json");

    assertThat(capture.events()).isNotEmpty();
    assertThat(TranscriptFormatTest.all(agent, Recorded.transcript(transcript), 1 << 20))
        .extracting(Event::id)
        .containsAll(capture.events().stream().map(Event::id).toList());
  }

  @Test
  void subagent_isTheSameByHooksAndByItsTranscript() throws IOException {
    List<Event> child =
        TranscriptFormatTest.all(
            Agent.CLAUDE_CODE, Recorded.transcript("claude-code.subagent.jsonl"), 1 << 20);
    List<Event> parent =
        TranscriptFormatTest.all(
            Agent.CLAUDE_CODE,
            Recorded.transcript("claude-code.tools-and-subagent.jsonl"),
            1 << 20);
    List<Event> start = Recorded.read("claude-code/SubagentStart.json").events();
    List<Event> stop = Recorded.read("claude-code/SubagentStop.json").events();

    assertThat(parent).extracting(Event::id).contains(start.getFirst().id());
    assertThat(child).extracting(Event::id).contains(start.getLast().id(), stop.getFirst().id());
    assertThat(child).extracting(Event::session).containsOnly(stop.getFirst().session());
  }

  @Test
  void textOfTheSameMessage_isTheSameByThePlugin_andByTheExport(@TempDir Path folder)
      throws IOException {
    String messages =
        """
        [{"info": {"id": "msg_1", "role": "user", "time": {"created": 1795342857825}},
          "parts": [{"id": "prt_1", "type": "text", "text": "hello"}]},
         {"info": {"id": "msg_2", "role": "assistant", "time": {"created": 1795342857925}},
          "parts": [{"id": "prt_2", "type": "text", "text": "hi", "time": {"start": 1795342857926, "end": 1795342857927}}]}]
        """;
    Path file = folder.resolve("ses_1.json");
    Files.writeString(
        file, "{\"info\":{\"id\":\"ses_1\",\"directory\":\"/p\"},\"messages\":" + messages + "}");
    HookCapture idle =
        hook(
            Agent.OPENCODE,
            "session.idle",
            "{\"type\":\"session.idle\",\"properties\":{\"sessionID\":\"ses_1\"},\"messages\":"
                + messages
                + "}");

    List<Event> exported = TranscriptFormatTest.all(Agent.OPENCODE, file, 1 << 20);

    assertThat(idle.events()).extracting(Event::text).containsExactly("hello", "hi");
    assertThat(exported).extracting(Event::id).containsAll(ids(idle));
  }

  @Test
  void copiedTurnsOfAForkOfOpenCode_areLeftToItsParent(@TempDir Path folder) throws IOException {
    String messages =
        """
        [{"info":{"id":"msg_3","role":"user","time":{"created":1790000000000}},
          "parts":[{"id":"prt_3","type":"text","text":"hello"}]},
         {"info":{"id":"msg_4","role":"assistant","time":{"created":1790000001000}},
          "parts":[{"id":"prt_4","type":"text","text":"hi","time":{"start":1790000001000,"end":1790000001001}},
            {"id":"prt_5","type":"tool","tool":"bash","callID":"call_1",
             "state":{"status":"completed","input":{},"output":"out"}}]},
         {"info":{"id":"msg_5","role":"user","time":{"created":1790000009000}},
          "parts":[{"id":"prt_6","type":"text","text":"go on"}]}]\
        """;
    String info = "{\"id\":\"ses_2\",\"time\":{\"created\":1790000008000}}";
    Path file = folder.resolve("export.json");
    Files.writeString(file, "{\"info\":" + info + ",\"messages\":" + messages + "}");
    HookCapture idle =
        hook(
            Agent.OPENCODE,
            "session.idle",
            "{\"type\":\"session.idle\",\"properties\":{\"sessionID\":\"ses_2\",\"info\":"
                + info
                + "},\"messages\":"
                + messages
                + "}");

    List<Event> exported = TranscriptFormatTest.all(Agent.OPENCODE, file, 1 << 20);

    assertThat(idle.events()).extracting(Event::text).containsExactly("go on");
    assertThat(exported)
        .filteredOn(event -> event.type() != EventType.SESSION_START)
        .extracting(Event::id)
        .containsExactlyElementsOf(ids(idle));
  }

  @Test
  void taskOfASubagentOfOpenCode_isOfTheAgent_byEachWay(@TempDir Path folder) throws IOException {
    String info = "{\"id\":\"ses_3\",\"parentID\":\"ses_1\",\"time\":{\"created\":1790000008000}}";
    String message = "{\"id\":\"msg_7\",\"role\":\"user\",\"time\":{\"created\":1790000009000}}";
    String parts = "[{\"id\":\"prt_7\",\"type\":\"text\",\"text\":\"count the files\"}]";
    String messages = "[{\"info\":" + message + ",\"parts\":" + parts + "}]";
    Path file = folder.resolve("export.json");
    Files.writeString(file, "{\"info\":" + info + ",\"messages\":" + messages + "}");
    HookCapture prompt =
        hook(
            Agent.OPENCODE,
            "chat.message",
            "{\"i\":{\"sessionID\":\"ses_3\"},\"o\":{\"message\":"
                + message
                + ",\"parts\":"
                + parts
                + "},\"properties\":{\"info\":"
                + info
                + "}}");
    HookCapture idle =
        hook(
            Agent.OPENCODE,
            "session.idle",
            "{\"type\":\"session.idle\",\"properties\":{\"sessionID\":\"ses_3\",\"info\":"
                + info
                + "},\"messages\":"
                + messages
                + "}");

    for (List<Event> events :
        List.of(
            prompt.events(),
            idle.events(),
            TranscriptFormatTest.all(Agent.OPENCODE, file, 1 << 20))) {
      assertThat(events)
          .filteredOn(event -> event.text().equals("count the files"))
          .singleElement()
          .satisfies(event -> {
            assertThat(event.id()).isEqualTo(ids(prompt).getFirst());
            assertThat(event.metadata()).containsEntry(AgentMetadata.ORIGIN, "agent");
          });
    }
  }

  @Test
  void turnOfCursor_isTheSameByHooks_andByTheTranscript(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("c1.jsonl");
    Files.writeString(
        file,
        """
        {"role":"user","message":{"content":[{"type":"text","text":"<user_query>\\nhello\\n</user_query>"}]}}
        {"role":"assistant","message":{"content":[{"type":"text","text":"hi"}]}}
        """);
    String start = "{\"conversation_id\":\"c1\",\"generation_id\":\"g1\",\"cursor_version\":\"2\",";
    List<Event> read = TranscriptFormatTest.all(Agent.CURSOR, file, 1 << 20);

    assertThat(read)
        .extracting(Event::id)
        .containsAll(ids(hook(Agent.CURSOR, "beforeSubmitPrompt", start + "\"prompt\":\"hello\"}")))
        .containsAll(ids(hook(Agent.CURSOR, "afterAgentResponse", start + "\"text\":\"hi\"}")))
        // It also loads the settings of Claude Code.
        .containsAll(
            ids(hook(Agent.CLAUDE_CODE, "UserPromptSubmit", start + "\"prompt\":\"hello\"}")));
  }

  private static HookCapture hook(Agent agent, String event, String body) {
    return HookReader.read(
        new HookMessage(agent, event, body, Map.of(), Instant.parse("2026-11-23T00:00:00Z")));
  }

  private static List<dev.agentmemory.types.EventId> ids(HookCapture capture) {
    assertThat(capture.events()).isNotEmpty();
    return capture.events().stream().map(Event::id).toList();
  }
}
