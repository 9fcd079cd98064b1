package dev.agentmemory.daemon.command;

import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.cli.ingest.EventLine;
import dev.agentmemory.cli.ingest.LineReader;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.SessionId;
import java.io.IOException;
import java.io.InputStream;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/// The sample of the demo keeps what is hard to get right.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SampleTest {

  private final List<Event> events = new ArrayList<>();

  @BeforeAll
  void read() throws IOException {
    try (InputStream in =
        Objects.requireNonNull(SampleTest.class.getResourceAsStream("/demo/events.jsonl"))) {
      var reader = new LineReader(in);
      for (Optional<LineReader.Line> line = reader.next(); line.isPresent(); line = reader.next()) {
        events.add(EventLine.parse(((LineReader.Line.Text) line.get()).text()).event());
      }
    }
  }

  @Test
  void sample_size_isThreeWeeksOfTwoAgents() {
    assertThat(events).hasSizeGreaterThanOrEqualTo(320);
    assertThat(events.stream().map(Event::id).distinct()).hasSameSizeAs(events);
    assertThat(sessions()).hasSizeGreaterThanOrEqualTo(14);
    assertThat(events.stream().flatMap(e -> e.agent().stream()).distinct())
        .containsExactlyInAnyOrder("claude", "codex");
    assertThat(days()).contains(LocalDate.parse("2026-01-12"), LocalDate.parse("2026-02-01"));
  }

  @Test
  void sample_text_hasManyScriptsAndLongToolResults() {
    assertThat(events)
        .anyMatch(e -> e.text().codePoints().anyMatch(c -> c > 0x1F300))
        .anyMatch(e -> e.text().contains("日本円"))
        .anyMatch(e -> e.text().contains("本地"))
        .anyMatch(e -> e.text().contains("débitée"))
        .anyMatch(e -> e.type() == EventType.TOOL_RESULT && e.text().length() > 2000);
  }

  @Test
  void sample_sessions_interleavePauseAndPassMidnight() {
    assertThat(IntStream.range(2, events.size()))
        .anyMatch(i ->
            !events.get(i).session().equals(events.get(i - 1).session())
                && events.get(i).session().equals(events.get(i - 2).session()));
    assertThat(sessions().values())
        .anyMatch(s -> !day(s.getFirst()).equals(day(s.getLast())))
        .anyMatch(s ->
            IntStream.range(1, s.size())
                .anyMatch(i ->
                    Duration.between(s.get(i - 1).timestamp(), s.get(i).timestamp()).toMinutes()
                        > 30));
  }

  @Test
  void sample_weekdays_oneHasNoEvent() {
    Set<LocalDate> days = days();
    assertThat(
            LocalDate.parse("2026-01-12")
                .datesUntil(LocalDate.parse("2026-02-02"))
                .filter(day -> day.getDayOfWeek().getValue() <= DayOfWeek.FRIDAY.getValue()))
        .anyMatch(day -> !days.contains(day));
  }

  private Map<SessionId, List<Event>> sessions() {
    return events.stream().collect(groupingBy(Event::session));
  }

  private Set<LocalDate> days() {
    return events.stream().map(SampleTest::day).collect(Collectors.toSet());
  }

  private static LocalDate day(Event event) {
    return event.timestamp().atZone(ZoneOffset.UTC).toLocalDate();
  }
}
