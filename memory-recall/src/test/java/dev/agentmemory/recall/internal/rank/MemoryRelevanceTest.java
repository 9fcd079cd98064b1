package dev.agentmemory.recall.internal.rank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.agentmemory.api.conversation.SessionOverrides;
import dev.agentmemory.api.recall.ChannelName;
import dev.agentmemory.api.recall.MemoryHit.Why;
import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.api.recall.MemoryLifetime;
import dev.agentmemory.api.recall.MemoryPlace;
import dev.agentmemory.api.recall.MemoryUse;
import dev.agentmemory.api.recall.Validity;
import dev.agentmemory.recall.DecayConfig;
import dev.agentmemory.recall.SessionDecay;
import dev.agentmemory.recall.internal.table.MemoryEntry;
import dev.agentmemory.recall.internal.table.MemoryStatement;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.SessionId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MemoryRelevanceTest {

  private static final Instant MADE = TestEvents.START;
  private static final SessionId SESSION = new SessionId("s1");

  private static MemoryEntry entry(MemoryPlace place, MemoryKind kind, MemoryUse use) {
    return new MemoryEntry(
        new MemoryId(TestEvents.id(MADE, 1)),
        place,
        MemoryLifetime.SHORT_TERM,
        kind,
        "user",
        0.8,
        false,
        Set.of(),
        List.of(),
        Validity.since(MADE),
        use,
        100,
        MemoryStatement.of("text"),
        Optional.empty());
  }

  private static Why why(MemoryEntry entry, Duration after, double match) {
    return new MemoryRelevance(DecayConfig.DEFAULT, SessionDecay.NONE, MADE.plus(after))
        .why(entry, match);
  }

  @ParameterizedTest
  @CsvSource({"-1, 1.5", "0, 1.5", "24, 1.5", "60, 1.375", "96, 1.25", "168, 1", "1000, 1"})
  void recency_fallsFromADayToAWeek(long hours, double recency) {
    assertThat(MemoryRelevance.recency(Duration.ofHours(hours))).isEqualTo(recency, within(1e-9));
  }

  @Test
  void frequency_isOnePlusTheLogarithm() {
    assertThat(MemoryRelevance.frequency(0)).isEqualTo(1);
    assertThat(MemoryRelevance.frequency(1)).isEqualTo(1 + Math.log(2), within(1e-12));
    assertThat(MemoryRelevance.frequency(99)).isEqualTo(1 + Math.log(100), within(1e-12));
  }

  @Test
  void relevance_isTheProductOfItsFeatures() {
    var use = new MemoryUse(Optional.of(MADE.plus(Duration.ofDays(1))), 3);
    Why why = why(entry(MemoryPlace.WORKSPACE, MemoryKind.FINDING, use), Duration.ofDays(15), 0.5);

    assertThat(why.match()).isEqualTo(0.5);
    assertThat(why.importance()).isEqualTo(0.8);
    assertThat(why.decay()).as("14 days since the access").isEqualTo(0.5, within(1e-9));
    assertThat(why.frequency()).isEqualTo(1 + Math.log(4), within(1e-9));
    assertThat(why.recency()).isEqualTo(1);
    assertThat(why.product()).isEqualTo(0.5 * 0.8 * 0.5 * (1 + Math.log(4)), within(1e-9));
  }

  @Test
  void age_ofWhatWasNeverRead_countsFromItsCreation() {
    Why why =
        why(
            entry(MemoryPlace.WORKSPACE, MemoryKind.OBSERVATION, MemoryUse.NEVER),
            Duration.ofDays(7),
            1);
    assertThat(why.decay()).isEqualTo(0.431, within(0.0005));
    assertThat(why.recency()).isEqualTo(1, within(1e-9));
  }

  @Test
  void age_readAfterTheTimeThatIsAskedFor_countsFromCreation() {
    var use = new MemoryUse(Optional.of(MADE.plus(Duration.ofDays(30))), 1);
    Why why = why(entry(MemoryPlace.WORKSPACE, MemoryKind.OBSERVATION, use), Duration.ofDays(7), 1);
    assertThat(why.decay()).isEqualTo(0.431, within(0.0005));
  }

  /// A wider scope already decays differently. A weight on top would discount it twice.
  @Test
  void scope_isNoFactor() {
    List<MemoryPlace> places =
        List.of(
            MemoryPlace.conversation(SESSION),
            MemoryPlace.channel(new ChannelName("a")),
            MemoryPlace.WORKSPACE,
            MemoryPlace.account());
    for (MemoryKind kind : MemoryKind.values()) {
      List<Double> fresh =
          places.stream()
              .map(place -> why(entry(place, kind, MemoryUse.NEVER), Duration.ZERO, 1).product())
              .distinct()
              .toList();
      assertThat(fresh).containsExactly(0.8 * 1.5);
    }
    for (MemoryPlace place : places) {
      Why why = why(entry(place, MemoryKind.OBSERVATION, MemoryUse.NEVER), Duration.ofDays(7), 1);
      assertThat(why.product()).as("decay alone").isEqualTo(0.8 * why.decay(), within(1e-12));
    }
  }

  @Test
  void overrides_holdForTheMemoriesOfTheirSession() {
    var never =
        Optional.of(
            new SessionOverrides(
                Optional.of(false),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty()));
    var relevance =
        new MemoryRelevance(
            DecayConfig.DEFAULT,
            session -> session.equals(SESSION) ? never : Optional.empty(),
            MADE.plus(Duration.ofDays(7)));
    MemoryPlace workspace = MemoryPlace.WORKSPACE;

    assertThat(
            relevance.of(entry(workspace.from(SESSION), MemoryKind.OBSERVATION, MemoryUse.NEVER)))
        .isEqualTo(0.8, within(1e-9));
    assertThat(
            relevance.of(
                entry(
                    workspace.from(new SessionId("s2")), MemoryKind.OBSERVATION, MemoryUse.NEVER)))
        .isEqualTo(0.8 * 0.431, within(0.0005));
  }
}
