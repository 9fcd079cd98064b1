package dev.agentmemory.recall.internal.rank;

import dev.agentmemory.api.conversation.SessionOverrides;
import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.api.recall.MemoryScope;
import dev.agentmemory.recall.DecayConfig;
import java.time.Duration;
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

  /// A rate for each hour, and what is kept at least.
  private record Law(double rate, double floor) {

    private static final Law NONE = new Law(1, 0);

    static Law ofHalfLife(Duration halfLife, double floor) {
      return new Law(Math.pow(0.5, MILLIS_PER_HOUR / halfLife.toMillis()), floor);
    }
  }

  /// @param age since the last read, else since the memory was made; below 0 is 0
  /// @param overrides of the session that the memory comes from
  /// @return 0 to 1
  public double of(
      MemoryScope scope, MemoryKind kind, Duration age, Optional<SessionOverrides> overrides) {
    SessionOverrides session = overrides.orElse(SessionOverrides.NONE);
    if (kind == MemoryKind.PREFERENCE || !session.decay().orElse(config.enabled())) {
      return 1;
    }
    Law law = law(scope, kind);
    double floor = session.floor().orElse(law.floor());
    double rate = session.halfLife().map(time -> Law.ofHalfLife(time, 0).rate()).orElse(law.rate());
    double hours = Math.max(0, age.toMillis()) / MILLIS_PER_HOUR;
    return Math.max(floor, Math.pow(rate, hours));
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
      case CHANNEL -> new Law(config.channelRate(), 0);
      case WORKSPACE -> new Law(config.workspaceRate(), 0);
      case ACCOUNT -> new Law(config.accountRate(), 0);
    };
  }
}
