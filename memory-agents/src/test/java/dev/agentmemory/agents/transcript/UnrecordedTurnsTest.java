package dev.agentmemory.agents.transcript;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentmemory.agents.Agent;
import dev.agentmemory.agents.UnrecordedTimes;
import dev.agentmemory.agents.event.AgentMetadata;
import dev.agentmemory.agents.internal.PayloadFields;
import dev.agentmemory.agents.internal.TurnIds;
import dev.agentmemory.agents.internal.TurnScopes;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Transcripts with turns at times at which nothing was recorded.
final class UnrecordedTurnsTest {

  private static final Instant READ = Instant.parse("2026-11-23T00:00:00Z");

  /// Recorded from here on: calls are on the day before, results on the day after.
  private static final Instant ON_AGAIN = Instant.parse("2026-01-02T00:00:00Z");

  private static final UnrecordedTimes BEFORE = (_, _) -> time -> time.isBefore(ON_AGAIN);

  private static final String CLAUDE =
      """
      {"type":"assistant","sessionId":"s1","promptId":"p1","uuid":"u1","timestamp":"2026-01-01T00:00:00Z",\
      "message":{"content":[{"type":"tool_use","id":"c1","name":"Bash","input":{"command":"secret"}}]}}
      {"type":"user","sessionId":"s1","promptId":"p1","uuid":"u2","timestamp":"2026-01-03T00:00:00Z",\
      "message":{"content":[{"type":"tool_result","tool_use_id":"c1","content":"done"}]}}
      """;

  private static final String CODEX =
      """
      {"type":"session_meta","timestamp":"2026-01-01T00:00:00Z","payload":{"id":"s1"}}
      {"type":"response_item","timestamp":"2026-01-01T00:00:01Z",\
      "payload":{"type":"function_call","name":"shell","call_id":"c1","arguments":"secret"}}
      {"type":"response_item","timestamp":"2026-01-03T00:00:00Z",\
      "payload":{"type":"function_call_output","call_id":"c1","output":"done"}}
      """;

  private static final String COPILOT =
      """
      {"type":"session.start","timestamp":"2026-01-01T00:00:00Z","data":{"sessionId":"s1"}}
      {"type":"tool.execution_start","timestamp":"2026-01-01T00:00:01Z",\
      "data":{"toolCallId":"c1","toolName":"bash","arguments":{"command":"secret"}}}
      {"type":"tool.execution_complete","timestamp":"2026-01-03T00:00:00Z",\
      "data":{"toolCallId":"c1","success":true,"result":"done"}}
      """;

  private static final String GEMINI =
      """
      {"sessionId":"s1","startTime":"2026-01-01T00:00:00Z"}
      {"id":"m1","type":"gemini","timestamp":"2026-01-01T00:00:01Z","content":"","toolCalls":[\
      {"id":"c1","name":"run","args":{"command":"secret"},"status":"success",\
      "timestamp":"2026-01-03T00:00:00Z",\
      "result":[{"functionResponse":{"response":{"output":"done"}}}]}]}
      """;

  private static final String OPENCODE =
      """
      {"info":{"id":"s1"},"messages":[{"info":{"id":"m1","role":"assistant",\
      "time":{"created":1767225600000}},"parts":[{"id":"p1","type":"tool","tool":"bash","callID":"c1",\
      "state":{"status":"completed","input":{"command":"secret"},"output":"done",\
      "time":{"start":1767225600000,"end":1767398400000}}}]}]}
      """;

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({"CLAUDE_CODE", "CODEX", "COPILOT", "GEMINI", "OPENCODE"})
  void callWhoseResultIsRecorded_hasNoInput_andNoStateHasIt(Agent agent) throws IOException {
    Path file = Files.writeString(folder.resolve("events.jsonl"), session(agent));
    List<String> states = new ArrayList<>();

    assertThat(calls(agent, file, UnrecordedTimes.NONE, UnrecordedTimes.NONE, new ArrayList<>()))
        .singleElement()
        .satisfies(
            event -> assertThat(event.metadata().get(AgentMetadata.TOOL_INPUT)).contains("secret"));
    assertThat(calls(agent, file, BEFORE, BEFORE, states))
        .singleElement()
        .satisfies(event -> {
          assertThat(event.text()).isEqualTo("done");
          assertThat(event.timestamp()).isAfter(ON_AGAIN);
          assertThat(event.metadata())
              .containsKey(AgentMetadata.TOOL)
              .doesNotContainKey(AgentMetadata.TOOL_INPUT);
        });
    assertThat(states).isNotEmpty().noneMatch(state -> state.contains("secret"));
  }

  @ParameterizedTest
  @CsvSource({"CLAUDE_CODE", "CODEX", "COPILOT", "GEMINI", "OPENCODE"})
  void callThatWasNotRecorded_hasOneId_whetherItIsWantedNowOrNot(Agent agent) throws IOException {
    Path file = Files.writeString(folder.resolve("events.jsonl"), session(agent));

    List<Event> before = calls(agent, file, BEFORE, BEFORE, new ArrayList<>());
    List<Event> now = calls(agent, file, UnrecordedTimes.NONE, BEFORE, new ArrayList<>());

    assertThat(now)
        .singleElement()
        .satisfies(
            event -> assertThat(event.metadata().get(AgentMetadata.TOOL_INPUT)).contains("secret"));
    assertThat(now).extracting(Event::id).containsExactly(before.getFirst().id());
  }

  @ParameterizedTest
  @CsvSource({"COPILOT", "GEMINI"})
  void callThatIsRecorded_afterOneThatWasNot_hasTheIdOfAHook(Agent agent) throws IOException {
    String session = session(agent);
    String again = session.substring(session.indexOf('\n') + 1);
    for (String old : List.of("c1", "m1")) {
      again = again.replace(old, old + "-again");
    }
    Path file =
        Files.writeString(
            folder.resolve("events.jsonl"), session + again.replace("2026-01-01", "2026-01-04"));
    var ids = new TurnIds(agent.id());
    JsonNode input = PayloadFields.JSON.createObjectNode().put("command", "secret");
    String name = agent == Agent.GEMINI ? "run" : "";

    assertThat(calls(agent, file, UnrecordedTimes.NONE, BEFORE, new ArrayList<>()))
        .extracting(Event::id)
        .containsExactly(ids.line("c1"), TurnScopes.toolWithin(ids, "s1", "", name, input));
  }

  /// Line by line.
  private static List<Event> calls(
      Agent agent,
      Path file,
      UnrecordedTimes unrecorded,
      UnrecordedTimes paused,
      List<String> states)
      throws IOException {
    List<Event> calls = new ArrayList<>();
    var from = new TranscriptSource(file, 0, "", 1, READ, unrecorded, paused);
    boolean more = true;
    while (more) {
      TranscriptPart part = TranscriptFormat.of(agent).orElseThrow().read(from);
      part.events().stream()
          .filter(event -> event.type() == EventType.TOOL_RESULT)
          .forEach(calls::add);
      states.add(part.state());
      from = from.after(part);
      more = part.more();
    }
    return calls;
  }

  private static String session(Agent agent) {
    return switch (agent) {
      case CLAUDE_CODE -> CLAUDE;
      case CODEX -> CODEX;
      case COPILOT -> COPILOT;
      case GEMINI -> GEMINI;
      case OPENCODE -> OPENCODE;
      case CURSOR -> throw new AssertionError(agent);
    };
  }

  @Test
  void wordsThatAreRecordedWhenTheyAreSaidAgain_haveTheIdOfTheHook() throws IOException {
    String prompt =
        "{\"id\":\"%s\",\"type\":\"user\",\"timestamp\":\"2026-01-0%sT00:00:00Z\",\"content\":\"yes\"}\n";
    Path file = folder.resolve("session-1.jsonl");
    Files.writeString(
        file,
        "{\"sessionId\":\"s1\"}\n" + prompt.formatted("m1", "1") + prompt.formatted("m2", "3"));
    var first = new TranscriptSource(file, 0, "", 60, READ, BEFORE);

    TranscriptPart before = TranscriptFormat.of(Agent.GEMINI).orElseThrow().read(first);
    TranscriptPart after =
        TranscriptFormat.of(Agent.GEMINI).orElseThrow().read(first.after(before));

    assertThat(before.events()).extracting(Event::text).containsExactly("", "yes");
    assertThat(before.state()).contains("\"seen\":[]");
    assertThat(after.events())
        .extracting(Event::id)
        .containsExactly(new TurnIds(Agent.GEMINI.id()).prompt("s1", "yes"));
  }
}
