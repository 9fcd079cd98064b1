package dev.agentmemory.search;

import static dev.agentmemory.testkit.TestEvents.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.agentmemory.api.search.Activity;
import dev.agentmemory.api.search.ActivityRequest;
import dev.agentmemory.store.Change;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventRole;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.WorkspaceName;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ActivityTest {

  private static final Instant NOW = Instant.parse("2026-06-01T12:00:00Z");
  private static final WorkspaceName ALPHA = WorkspaceName.of("alpha").orElseThrow();
  private static final WorkspaceName BETA = WorkspaceName.of("beta").orElseThrow();

  @TempDir Path folder;

  private Bench bench() {
    return new Bench(folder.resolve("search"));
  }

  private static Event said(String agent, String time, String text) {
    return TestEvents.from(message("s", Instant.parse(time), text), agent, Map.of());
  }

  private static Activity counted(Bench bench, OptionalInt year) {
    return bench.follow().searcher().activity(new ActivityRequest(year, NOW));
  }

  @Test
  void events_countOnTheirDay_bySender() {
    try (Bench bench =
        bench()
            .say(
                said("claude", "2026-01-30T00:00:00Z", "one"),
                said("claude", "2026-01-30T23:59:59.999Z", "two"),
                said("codex", "2026-01-30T12:00:00Z", "three"),
                said("codex", "2026-12-31T23:59:59.999Z", "four"),
                said("codex", "2025-12-31T23:59:59.999Z", "the year before"),
                said("codex", "2027-01-01T00:00:00Z", "the year after"))) {
      Activity activity = counted(bench, OptionalInt.of(2026));
      assertThat(activity.days())
          .extracting(Activity.Day::date, day -> day.total().events())
          .containsExactly(
              tuple(LocalDate.of(2026, 1, 30), 3L), tuple(LocalDate.of(2026, 12, 31), 1L));
      assertThat(activity.days().getFirst().parts())
          .extracting(part -> part.agent().orElse(""), part -> part.count().events())
          .containsExactly(tuple("claude", 2L), tuple("codex", 1L));
      assertThat(activity.total()).isEqualTo(new Activity.Count(4, 4));
      assertThat(activity.years()).contains(new Activity.Years(2025, 2027));
      assertThat(activity.zone()).isEqualTo(bench.store.zone());
    }
  }

  @Test
  void year_ofNoRequest_isThatOfNow() {
    try (Bench bench = bench().say(said("claude", "2026-01-30T00:00:00Z", "one"))) {
      assertThat(counted(bench, OptionalInt.empty()).year()).isEqualTo(2026);
      assertThat(counted(bench, OptionalInt.empty()).days()).hasSize(1);
    }
  }

  @Test
  void index_withoutEvents_hasNoDaysAndNoYears() {
    try (Bench bench = bench()) {
      Activity activity = counted(bench, OptionalInt.empty());
      assertThat(activity.days()).isEmpty();
      assertThat(activity.years()).isEmpty();
    }
  }

  @Test
  void toolResults_andTextlessEvents_areNoMessages() {
    try (Bench bench =
        bench()
            .say(
                message("s", NOW, "a question"),
                TestEvents.event(
                    "s", NOW.plusSeconds(1), EventType.TOOL_RESULT, EventRole.TOOL, "a result"),
                TestEvents.end("s", NOW.plusSeconds(2)))) {
      assertThat(counted(bench, OptionalInt.empty()).total()).isEqualTo(new Activity.Count(3, 1));
    }
  }

  @Test
  void event_withoutAgent_isOfASenderWithoutName() {
    try (Bench bench = bench().say(message("s", NOW, "a question"))) {
      assertThat(counted(bench, OptionalInt.empty()).days().getFirst().parts())
          .extracting(Activity.Part::agent)
          .containsExactly(Optional.empty());
    }
  }

  @Test
  void erasedEvent_doesNotCount() {
    Event kept = said("claude", "2026-01-30T00:00:00Z", "one");
    Event erased = said("claude", "2026-01-30T00:00:01Z", "two");
    try (Bench bench = bench().say(kept, erased).follow()) {
      bench.commit(new Change.EraseEvent(erased.session(), erased.key(), /* barred= */ false));
      assertThat(counted(bench, OptionalInt.empty()).total().events()).isEqualTo(1);
    }
  }

  @Test
  void sharedIndex_namesWorkspaces_orCountsThoseOfOne() {
    try (Bench bench =
        bench()
            .say(
                said("claude", "2026-01-30T00:00:00Z", "one").in(ALPHA),
                said("claude", "2026-01-30T00:00:01Z", "two").in(ALPHA),
                said("claude", "2025-01-30T00:00:02Z", "three").in(BETA),
                said("claude", "2026-01-30T00:00:02Z", "three").in(BETA))) {
      assertThat(counted(bench, OptionalInt.empty()).days().getFirst().parts())
          .extracting(part -> part.workspace().orElseThrow(), part -> part.count().events())
          .containsExactly(tuple(ALPHA, 2L), tuple(BETA, 1L));
      Activity own =
          bench
              .searcher()
              .of(ALPHA, bench.sources)
              .activity(new ActivityRequest(OptionalInt.empty(), NOW));
      assertThat(own.total().events()).isEqualTo(2);
      assertThat(own.years()).contains(new Activity.Years(2026, 2026));
      assertThat(own.days().getFirst().parts())
          .extracting(Activity.Part::workspace)
          .containsExactly(Optional.empty());
    }
  }

  @Test
  void senders_beyondTheLargest_areSummedUp() {
    int senders = Activity.MOST_SENDERS + 3;
    List<Event> events =
        IntStream.range(0, senders)
            .mapToObj(
                i -> said("agent" + i, "2026-01-30T00:%02d:%02dZ".formatted(i / 60, i % 60), "x"))
            .toList();
    try (Bench bench = bench().say(events.toArray(Event[]::new))) {
      List<Activity.Part> parts = counted(bench, OptionalInt.empty()).days().getFirst().parts();
      assertThat(parts).hasSize(Activity.MOST_SENDERS + 1);
      assertThat(parts.getLast().rest()).isTrue();
      assertThat(parts.getLast().count().events()).isEqualTo(3);
    }
  }
}
