package dev.agentmemory.recall.upkeep;

import dev.agentmemory.api.conversation.SessionOverrides;
import dev.agentmemory.recall.RecallServices;
import dev.agentmemory.recall.SessionCompaction;
import dev.agentmemory.recall.SessionDecay;
import dev.agentmemory.recall.SessionLimits;
import dev.agentmemory.recall.conversation.SessionCompactor;
import dev.agentmemory.spi.Mutex;
import dev.agentmemory.types.SessionId;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;

/// Compacts a session when a write would bring it to `recall.compact_at` of its quota, unless it or
/// the configuration says otherwise.
///
/// A compaction may find nothing to drop. So another one follows only when the session has grown by
/// a hundredth of the quota since, or after [#PAUSE].
public final class QuotaCompaction implements SessionCompaction {

  static final Duration PAUSE = Duration.ofMinutes(1);

  private static final int STEPS = 100;

  /// Sessions near their quota of which the last compaction is remembered.
  private static final int REMEMBERED = 1000;

  /// What a session used after its last compaction.
  private record Last(Instant time, long used) {}

  private final RecallServices services;
  private final ToLongFunction<SessionId> scratchpad;
  private final SessionDecay overrides;
  private final SessionCompactor compactor;
  private final Consumer<SessionId> recorded;
  private final Mutex lock = new Mutex();
  private final Map<SessionId, Last> compacted = new HashMap<>();

  /// @param scratchpad bytes of the scratchpad of a session
  /// @param overrides of sessions
  /// @param compactor called with nothing locked; may be bound later, as memories need this object
  /// @param recorded told of each compaction
  public QuotaCompaction(
      RecallServices services,
      ToLongFunction<SessionId> scratchpad,
      SessionDecay overrides,
      SessionCompactor compactor,
      Consumer<SessionId> recorded) {
    this.services = services;
    this.scratchpad = scratchpad;
    this.overrides = overrides;
    this.compactor = compactor;
    this.recorded = recorded;
  }

  @Override
  public void beforeWrite(SessionId session, long memoryBytes, long added) {
    SessionLimits limits = services.config().sessions();
    SessionOverrides own = overrides.overrides(session).orElse(SessionOverrides.NONE);
    long used = memoryBytes + scratchpad.applyAsLong(session);
    double share = own.compactAt().orElse(limits.compactAt());
    boolean isNear = used + added >= share * limits.quotaBytes();
    if (isNear && own.autoCompact().orElse(limits.autoCompact()) && isDue(session, used)) {
      var report = compactor.compact(session);
      remember(session, used - (report.bytesBefore() - report.bytesAfter()));
      recorded.accept(session);
    }
  }

  private boolean isDue(SessionId session, long used) {
    try (var _ = lock.hold()) {
      Optional<Last> last = Optional.ofNullable(compacted.get(session));
      long step = services.config().sessions().quotaBytes() / STEPS;
      return last.map(one ->
              used >= one.used() + step
                  || !services.system().now().isBefore(one.time().plus(PAUSE)))
          .orElse(true);
    }
  }

  private void remember(SessionId session, long used) {
    try (var _ = lock.hold()) {
      if (compacted.size() >= REMEMBERED) {
        compacted.clear();
      }
      compacted.put(session, new Last(services.system().now(), used));
    }
  }
}
