package dev.agentmemory.bench.agents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventRole;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.SessionId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class AgentTallyTest {

  private final AgentTally tally = new AgentTally();

  private static Event event(int number, EventType type, String text) {
    return new Event(
        new EventId("%026d".formatted(number)),
        new SessionId("s"),
        Instant.EPOCH,
        type,
        EventRole.SYSTEM,
        text,
        Map.of(),
        Optional.of("codex"),
        0);
  }

  @Test
  void stored_countsOnceLostAndDoubled() {
    tally.expect(
        List.of(
            Expected.prompt("p"), Expected.prompt("p"), Expected.answer("a"), Expected.tool("t")));
    List<Event> events =
        List.of(
            event(1, EventType.USER_MESSAGE, "p"),
            event(2, EventType.TOOL_RESULT, "Output: t"),
            event(3, EventType.TOOL_RESULT, "t"),
            event(4, EventType.ASSISTANT_MESSAGE, "a and more"));

    assertThat(tally.isComplete(events)).isFalse();
    tally.stored(events, "secret");

    assertThat(tally.turns()).isEqualTo(4);
    assertThat(tally.storedOnce()).isEqualTo(2);
    assertThat(tally.lost()).isEqualTo(2);
    assertThat(tally.doubled()).isEqualTo(1);
    assertThat(tally.recalled()).isZero();
  }

  @Test
  void stored_findsRecalledText() {
    tally.expect(List.of(Expected.prompt("the secret")));

    tally.stored(
        List.of(
            event(1, EventType.USER_MESSAGE, "the secret"),
            event(2, EventType.TOOL_RESULT, "the secret again"),
            event(3, EventType.ASSISTANT_MESSAGE, "recalled| x")),
        "secret");

    assertThat(tally.recalled()).isEqualTo(2);
  }

  @Test
  void screen_findsOurWords() {
    tally.screen("s", "all is well\nmemory-hook: not found\n");

    assertThat(tally.shown()).isEqualTo(1);
  }

  @Test
  void answers_haveToBeGivenWhole() {
    tally.answers(
        "s", List.of("recalled|begin\nx", "y"), List.of("before recalled|begin\nx after"));

    assertThat(tally.answers()).isEqualTo(2);
    assertThat(tally.notGiven()).isEqualTo(1);
  }
}
