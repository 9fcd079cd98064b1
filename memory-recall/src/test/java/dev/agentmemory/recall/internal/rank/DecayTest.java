package dev.agentmemory.recall.internal.rank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.agentmemory.api.conversation.SessionOverrides;
import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.api.recall.MemoryScope;
import dev.agentmemory.config.SettingReader;
import dev.agentmemory.recall.DecayConfig;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// The table of decays. All figures are exact to 0.1 %.
class DecayTest {

  private static final double EXACT = 0.0005;
  private static final Duration WEEK = Duration.ofDays(7);
  private static final Decay DECAY = new Decay(DecayConfig.DEFAULT);

  private static double of(MemoryScope scope, MemoryKind kind, Duration age) {
    return DECAY.of(scope, kind, age, Optional.empty());
  }

  @ParameterizedTest
  @CsvSource({"CONVERSATION, 1.000", "CHANNEL, 0.185", "WORKSPACE, 0.431", "ACCOUNT, 0.714"})
  void observation_after7Days_keepsTheShareOfItsScope(MemoryScope scope, double share) {
    assertThat(of(scope, MemoryKind.OBSERVATION, WEEK)).isEqualTo(share, within(EXACT));
    assertThat(of(scope, MemoryKind.OBSERVATION, Duration.ZERO)).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({"CONVERSATION, 168", "FINDING, 336", "DECISION, 720"})
  void kind_afterItsHalfLife_keepsHalf_inAnyScope(MemoryKind kind, long hours) {
    for (MemoryScope scope : MemoryScope.values()) {
      assertThat(of(scope, kind, Duration.ofHours(hours))).isEqualTo(0.5, within(EXACT));
      assertThat(of(scope, kind, Duration.ofHours(2 * hours))).isEqualTo(0.25, within(EXACT));
      assertThat(of(scope, kind, Duration.ofHours(hours / 2)))
          .isEqualTo(Math.sqrt(0.5), within(EXACT));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"CONVERSATION", "FINDING", "DECISION"})
  void kind_howeverOld_keepsTheFloor(MemoryKind kind) {
    assertThat(of(MemoryScope.WORKSPACE, kind, Duration.ofDays(3650))).isEqualTo(0.1);
  }

  @Test
  void observation_hasNoFloor() {
    assertThat(of(MemoryScope.WORKSPACE, MemoryKind.OBSERVATION, Duration.ofDays(3650)))
        .isLessThan(1e-100);
  }

  @ParameterizedTest
  @EnumSource
  void preference_howeverOld_keepsEverything(MemoryScope scope) {
    assertThat(of(scope, MemoryKind.PREFERENCE, Duration.ofDays(3650))).isEqualTo(1);
  }

  @Test
  void age_belowZero_isZero() {
    assertThat(of(MemoryScope.CHANNEL, MemoryKind.OBSERVATION, Duration.ofMinutes(-5)))
        .isEqualTo(1);
  }

  @Test
  void decay_switchedOff_keepsEverything_unlessASessionSwitchesItOn() {
    var off =
        new Decay(DecayConfig.from(SettingReader.of(Map.of("recall.decay.enabled", "false"))));
    assertThat(off.of(MemoryScope.CHANNEL, MemoryKind.FINDING, WEEK, Optional.empty()))
        .isEqualTo(1);
    assertThat(
            off.of(
                MemoryScope.CHANNEL,
                MemoryKind.OBSERVATION,
                WEEK,
                Optional.of(overrides(Optional.of(true), Optional.empty(), Optional.empty()))))
        .isEqualTo(0.185, within(EXACT));
  }

  private static SessionOverrides overrides(
      Optional<Boolean> decay, Optional<Duration> halfLife, Optional<Double> floor) {
    return new SessionOverrides(decay, halfLife, floor, Optional.empty(), Optional.empty());
  }

  @ParameterizedTest
  @EnumSource(names = {"OBSERVATION", "CONVERSATION", "FINDING", "DECISION"})
  void overrides_ofASession_holdForEveryKindButPreferences(MemoryKind kind) {
    var day =
        Optional.of(overrides(Optional.empty(), Optional.of(Duration.ofDays(1)), Optional.empty()));
    for (MemoryScope scope : MemoryScope.values()) {
      assertThat(DECAY.of(scope, kind, Duration.ofDays(2), day)).isEqualTo(0.25, within(EXACT));
    }
    var floor =
        Optional.of(overrides(Optional.empty(), Optional.of(Duration.ofDays(1)), Optional.of(0.4)));
    assertThat(DECAY.of(MemoryScope.WORKSPACE, kind, WEEK, floor)).isEqualTo(0.4);
    var off = Optional.of(overrides(Optional.of(false), Optional.empty(), Optional.empty()));
    assertThat(DECAY.of(MemoryScope.WORKSPACE, kind, WEEK, off)).isEqualTo(1);
  }

  @Test
  void overrides_ofASession_doNotConcernPreferences() {
    var day =
        Optional.of(
            overrides(Optional.of(true), Optional.of(Duration.ofHours(1)), Optional.of(0.0)));
    assertThat(DECAY.of(MemoryScope.WORKSPACE, MemoryKind.PREFERENCE, WEEK, day)).isEqualTo(1);
  }

  @Test
  void overrides_ofTheFloorAlone_keepTheRate() {
    var floor = Optional.of(overrides(Optional.empty(), Optional.empty(), Optional.of(0.2)));
    assertThat(DECAY.of(MemoryScope.CHANNEL, MemoryKind.OBSERVATION, WEEK, floor)).isEqualTo(0.2);
    assertThat(DECAY.of(MemoryScope.WORKSPACE, MemoryKind.OBSERVATION, WEEK, floor))
        .isEqualTo(0.431, within(EXACT));
  }
}
