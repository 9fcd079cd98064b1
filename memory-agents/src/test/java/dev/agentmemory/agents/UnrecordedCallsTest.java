package dev.agentmemory.agents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.agents.event.AgentMetadata;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventType;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Hooks that tell of calls of tools that were made while nothing was recorded.
final class UnrecordedCallsTest {

  private static final Instant ON_AGAIN = Instant.parse("2026-01-02T00:00:00Z");
  private static final Instant RECEIVED = ON_AGAIN.plusSeconds(60);

  private static Event call(Agent agent, String event, String body) {
    HookCapture capture =
        HookReader.read(
            new HookMessage(agent, event, body, Map.of(), RECEIVED),
            (sender, directory) -> {
              assertThat(sender).isEqualTo(agent);
              assertThat(directory).isEqualTo(Optional.of(Path.of("/p")));
              return time -> time.isBefore(ON_AGAIN);
            });
    return capture.events().stream()
        .filter(one -> one.type() == EventType.TOOL_RESULT)
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @CsvSource({
    "CURSOR, postToolUse, duration, 60001, false",
    "CURSOR, postToolUse, duration, 60000, true",
    "CLAUDE_CODE, PostToolUse, duration_ms, 60001, false",
    "CLAUDE_CODE, PostToolUse, duration_ms, 60000, true",
    "CLAUDE_CODE, PostToolUse, duration_ms, -9223372036854775808, true",
    "CLAUDE_CODE, PostToolUse, duration_ms, 9223372036854775807, false",
    "CLAUDE_CODE, PostToolUse, other, 60001, true"
  })
  void callThatLastedSo_hasItsInputIfItWasRecorded(
      Agent agent, String event, String field, long duration, boolean recorded) {
    Event call =
        call(
            agent,
            event,
            ("{\"session_id\":\"s1\",\"cwd\":\"/p\",\"tool_name\":\"Bash\",\"tool_use_id\":\"c1\","
                    + "\"tool_input\":{\"command\":\"secret\"},\"tool_response\":\"done\",\"%s\":%d}")
                .formatted(field, duration));

    assertThat(call.text()).isEqualTo("done");
    assertThat(call.metadata().containsKey(AgentMetadata.TOOL_INPUT)).isEqualTo(recorded);
  }

  @ParameterizedTest
  @CsvSource({"60001, false", "60000, true"})
  void callOfOpenCodeThatLastedSo_hasItsInputIfItWasRecorded(long duration, boolean recorded) {
    Event call =
        call(
            Agent.OPENCODE,
            "tool.execute.after",
            """
            {"directory":"/p","duration":%d,"o":{"output":"done"},\
            "i":{"tool":"bash","sessionID":"s1","callID":"c1","args":{"command":"secret"}}}
            """
                .formatted(duration));

    assertThat(call.text()).isEqualTo("done");
    assertThat(call.metadata().containsKey(AgentMetadata.TOOL_INPUT)).isEqualTo(recorded);
  }

  @Test
  void callInAMessageOfOpenCode_hasNoInputIfItBeganBefore() {
    String body =
        """
        {"type":"session.idle","directory":"/p","properties":{"sessionID":"s1"},"messages":[\
        {"info":{"id":"m1","role":"assistant","time":{"created":%1$d}},"parts":[\
        {"id":"p1","type":"tool","tool":"bash","callID":"c1","state":{"status":"completed",\
        "input":{"command":"secret"},"output":"done","time":{"start":%1$d,"end":%2$d}}}]}]}
        """;
    long end = RECEIVED.toEpochMilli();
    long start = ON_AGAIN.toEpochMilli();

    Event before = call(Agent.OPENCODE, "session.idle", body.formatted(start - 1, end));
    Event after = call(Agent.OPENCODE, "session.idle", body.formatted(start, end));

    assertThat(before.text()).isEqualTo("done");
    assertThat(before.metadata()).doesNotContainKey(AgentMetadata.TOOL_INPUT);
    assertThat(after.metadata().get(AgentMetadata.TOOL_INPUT)).contains("secret");
  }
}
