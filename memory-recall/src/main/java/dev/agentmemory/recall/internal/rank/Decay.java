package dev.agentmemory.recall.internal.rank;

import dev.agentmemory.api.conversation.SessionOverrides;
import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.api.recall.MemoryScope;
import dev.agentmemory.api.standing.DecayLaw;
import dev.agentmemory.recall.DecayConfig;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// What a memory keeps of its relevance as time passes without a read: `max(floor, rate^hours)`.
///
/// Observations have a rate for each scope and no floor. Other kinds have a half-life and a floor,
/// whatever their scope. Preferences keep everything, and so do observations of a conversation. A
/// session can have other values, which then hold for all its memories except preferences.
public final class Decay {

  private static final double MILLIS_PER_HOUR = Duration.ofHours(1).toMillis();

  private final DecayConfig config;

  public Decay(DecayConfig config) {
    this.config = config;
  }

  /// What is kept of a relevance in some hours, and what is kept at least.
  private record Law(double rate, double hours, double floor) {

    private static final Law NONE = new Law(1, 1, 0);

    /// Time in which half is kept; empty if all is.
    Optional<Duration> halfLife() {
      if (rate >= 1) {
        return Optional.empty();
      }
      double halves = Math.log(0.5) / Math.log(rate) * hours;
      return Optional.of(Duration.ofMillis(Math.max(1, Math.round(halves * MILLIS_PER_HOUR))));
    }

    Law withFloor(double changed) {
      return new Law(rate, hours, changed);
    }

    static Law hourly(double rate) {
      return new Law(rate, 1, 0);
    }

    static Law ofHalfLife(Duration halfLife, double floor) {
      return new Law(0.5, halfLife.toMillis() / MILLIS_PER_HOUR, floor);
    }
  }

  /// @param age since the last read, else since the memory was made; below 0 is 0
  /// @param overrides of the session that the memory comes from
  /// @return 0 to 1
  public double of(
      MemoryScope scope, MemoryKind kind, Duration age, Optional<SessionOverrides> overrides) {
    Law law = law(scope, kind, overrides);
    double hours = Math.max(0, age.toMillis()) / MILLIS_PER_HOUR;
    return Math.max(law.floor(), Math.pow(law.rate(), hours / law.hours()));
  }

  /// The same for all times.
  ///
  /// @param since when the memory was last read, else made
  public DecayLaw curve(
      MemoryScope scope, MemoryKind kind, Instant since, Optional<SessionOverrides> overrides) {
    Law law = law(scope, kind, overrides);
    return law.halfLife()
        .map(halfLife -> new DecayLaw(/* decays= */ true, halfLife, law.floor(), since))
        .orElseGet(() -> DecayLaw.none(since));
  }

  private Law law(MemoryScope scope, MemoryKind kind, Optional<SessionOverrides> overrides) {
    SessionOverrides session = overrides.orElse(SessionOverrides.NONE);
    if (kind == MemoryKind.PREFERENCE || !session.decay().orElse(config.enabled())) {
      return Law.NONE;
    }
    Law byDefault = law(scope, kind);
    double floor = session.floor().orElse(byDefault.floor());
    return session
        .halfLife()
        .map(time -> Law.ofHalfLife(time, floor))
        .orElseGet(() -> byDefault.withFloor(floor));
  }

  private Law law(MemoryScope scope, MemoryKind kind) {
    return switch (kind) {
      case OBSERVATION -> ofObservation(scope);
      case CONVERSATION -> Law.ofHalfLife(config.conversationHalfLife(), config.floor());
      case FINDING -> Law.ofHalfLife(config.findingHalfLife(), config.floor());
      case DECISION -> Law.ofHalfLife(config.decisionHalfLife(), config.floor());
      case PREFERENCE -> Law.NONE;
    };
  }

  private Law ofObservation(MemoryScope scope) {
    return switch (scope) {
      case CONVERSATION -> Law.NONE;
      case CHANNEL -> Law.hourly(config.channelRate());
      case WORKSPACE -> Law.hourly(config.workspaceRate());
      case ACCOUNT -> Law.hourly(config.accountRate());
    };
  }
}
