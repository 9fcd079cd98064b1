package dev.agentmemory.recall.internal.rank;

import dev.agentmemory.api.conversation.SessionOverrides;
import dev.agentmemory.api.recall.MemoryHit.Why;
import dev.agentmemory.api.standing.DecayLaw;
import dev.agentmemory.recall.DecayConfig;
import dev.agentmemory.recall.SessionDecay;
import dev.agentmemory.recall.internal.table.MemoryEntry;
import dev.agentmemory.types.SessionId;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// Computes the relevance of memories at one time: importance x decay x frequency x recency, and
/// match where there is a query. The scope is no factor of its own: an observation of a wider scope
/// decays differently already. For one call and one thread.
public final class MemoryRelevance {

  private static final double MAX_RECENCY = 1.5;
  private static final Duration FRESH = Duration.ofHours(24);
  private static final Duration OLD = Duration.ofDays(7);

  private final Decay decay;
  private final SessionDecay sessions;
  private final Instant now;
  private final Map<SessionId, Optional<SessionOverrides>> overrides = new HashMap<>();

  public MemoryRelevance(DecayConfig config, SessionDecay sessions, Instant now) {
    this.decay = new Decay(config);
    this.sessions = sessions;
    this.now = now;
  }

  /// @param match 0 to 1; 1 when there is no query
  public Why why(MemoryEntry entry, double match) {
    Duration age = Duration.between(lastRead(entry), now);
    return new Why(
        match,
        entry.importance(),
        decay.of(entry.scope(), entry.kind(), age, session(entry)),
        frequency(entry.use().count()),
        recency(age),
        entry.scope());
  }

  /// How its relevance falls while nobody reads it.
  public DecayLaw decay(MemoryEntry entry) {
    return decay.curve(entry.scope(), entry.kind(), lastRead(entry), session(entry));
  }

  private Optional<SessionOverrides> session(MemoryEntry entry) {
    return entry
        .place()
        .session()
        .flatMap(id -> overrides.computeIfAbsent(id, sessions::overrides));
  }

  /// Relevance without a query.
  public double of(MemoryEntry entry) {
    return of(entry, 1);
  }

  /// @param match 0 to 1; 1 when there is no query
  public double of(MemoryEntry entry, double match) {
    return why(entry, match).product();
  }

  /// A read after the time that is asked for did not happen yet.
  private Instant lastRead(MemoryEntry entry) {
    return entry
        .use()
        .lastAccess()
        .filter(time -> !time.isAfter(now))
        .orElse(entry.validity().created());
  }

  static double frequency(long count) {
    return 1 + Math.log1p((double) count);
  }

  /// 1.5 within 24 hours, falling linearly to 1 after 7 days.
  static double recency(Duration age) {
    double passed = age.minus(FRESH).toMillis() / (double) OLD.minus(FRESH).toMillis();
    return MAX_RECENCY - (MAX_RECENCY - 1) * Math.clamp(passed, 0.0, 1.0);
  }
}
