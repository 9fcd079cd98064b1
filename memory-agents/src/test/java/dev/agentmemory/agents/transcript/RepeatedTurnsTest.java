package dev.agentmemory.agents.transcript;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.agents.Agent;
import dev.agentmemory.agents.internal.EventIdentity;
import dev.agentmemory.agents.internal.PayloadFields;
import dev.agentmemory.agents.internal.TurnIds;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Long sessions in which the same words come again. Each slice is read with the state that the one
/// before left as text, as it is after a restart.
final class RepeatedTurnsTest {

  private static final int TURNS = 2000;

  /// Turns between two that have the same words.
  private static final int APART = 900;

  private static final int SLICE_BYTES = 16 << 10;

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({"GEMINI", "COPILOT", "CURSOR"})
  void sameWords_farApart_areAnEventEach(Agent agent) throws IOException {
    List<Event> prompts = prompts(agent, start(agent) + turns(agent, "\n") + "\n");

    assertThat(prompts)
        .extracting(Event::text)
        .containsExactlyElementsOf(
            IntStream.range(0, TURNS).mapToObj(RepeatedTurnsTest::words).toList());
    assertThat(prompts).extracting(Event::id).doesNotHaveDuplicates();
  }

  @Test
  void messagesThatGeminiWritesAgain_areReadOnce() throws IOException {
    String session = start(Agent.GEMINI) + turns(Agent.GEMINI, "\n") + "\n";
    String again = "{\"$set\":{\"messages\":[" + turns(Agent.GEMINI, ",") + "]}}\n";

    assertThat(prompts(Agent.GEMINI, session + again)).hasSize(TURNS);
  }

  @Test
  void digestsOfAStateOfAnOlderVersion_areTakenOver() throws IOException {
    Path file = Files.writeString(folder.resolve("events.jsonl"), turn(Agent.COPILOT, 0) + "\n");
    var ids = new TurnIds(Agent.COPILOT.id());
    String state =
        "{\"head\":[0,0],\"session\":\"s1\",\"seen\":[\"%s\",\"%s\"]}"
            .formatted(
                EventIdentity.brief("another turn"),
                EventIdentity.brief(ids.prompt("s1", words(0)).value()));

    TranscriptPart part =
        TranscriptFormat.of(Agent.COPILOT)
            .orElseThrow()
            .read(new TranscriptSource(file, 0, state, SLICE_BYTES, Instant.EPOCH));

    assertThat(part.events()).extracting(Event::id).containsExactly(ids.line("0"));
  }

  /// An older program that shares the places takes each element for one digest.
  @Test
  void digestsInAState_areAListAsInOlderVersions() throws IOException {
    Path file = Files.writeString(folder.resolve("events.jsonl"), turn(Agent.CURSOR, 0) + "\n");

    TranscriptPart part =
        TranscriptFormat.of(Agent.CURSOR)
            .orElseThrow()
            .read(TranscriptSource.start(file, Instant.EPOCH));

    assertThat(PayloadFields.parse(part.state()).orElseThrow().node("seen").toString())
        .isEqualTo("[\"%s\"]".formatted(EventIdentity.brief(part.events().getLast().id().value())));
  }

  private List<Event> prompts(Agent agent, String session) throws IOException {
    Path file = Files.writeString(folder.resolve("events.jsonl"), session);
    return TranscriptFormatTest.all(agent, file, SLICE_BYTES).stream()
        .filter(event -> event.type() == EventType.USER_MESSAGE)
        .toList();
  }

  private static String words(int turn) {
    return "turn " + turn % APART;
  }

  private static String start(Agent agent) {
    return switch (agent) {
      case GEMINI -> "{\"sessionId\":\"s1\",\"startTime\":\"2026-01-01T00:00:00Z\"}\n";
      case COPILOT ->
          "{\"type\":\"session.start\",\"id\":\"start\",\"data\":{\"sessionId\":\"s1\"}}\n";
      case CURSOR -> "";
      case CLAUDE_CODE, CODEX, OPENCODE -> throw new AssertionError(agent);
    };
  }

  private static String turns(Agent agent, String between) {
    return IntStream.range(0, TURNS)
        .mapToObj(turn -> turn(agent, turn))
        .collect(Collectors.joining(between));
  }

  private static String turn(Agent agent, int turn) {
    String form =
        switch (agent) {
          case GEMINI -> "{\"id\":\"%d\",\"type\":\"user\",\"content\":\"%s\"}";
          case COPILOT -> "{\"type\":\"user.message\",\"id\":\"%d\",\"data\":{\"content\":\"%s\"}}";
          case CURSOR -> "{\"number\":%d,\"role\":\"user\",\"content\":\"%s\"}";
          case CLAUDE_CODE, CODEX, OPENCODE -> throw new AssertionError(agent);
        };
    return form.formatted(turn, words(turn));
  }
}
