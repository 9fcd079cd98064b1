package dev.agentmemory.pipeline.ingest;

import dev.agentmemory.api.RefusalReport;
import dev.agentmemory.spi.Mutex;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Counts refused events for operators. The sender gets the refusal, too, but may ignore it.
final class RefusalCounts {

  /// Reasons that are counted separately; further ones are counted together.
  static final int MOST_REASONS = 32;

  static final String OTHERS = "others";
  private static final int MOST_CHARS = 200;

  private final Mutex lock = new Mutex();
  private final Map<String, Long> byReason = new HashMap<>();
  private @Nullable String last;

  /// @param reason a field, maybe with a key in brackets
  /// @param message the message for the sender
  void add(String reason, String message) {
    int bracket = reason.indexOf('[');
    String plain = bracket < 0 ? reason : reason.substring(0, bracket);
    try (var _ = lock.hold()) {
      boolean room = byReason.containsKey(plain) || byReason.size() < MOST_REASONS;
      byReason.merge(room ? plain : OTHERS, 1L, Long::sum);
      last = message.length() > MOST_CHARS ? message.substring(0, MOST_CHARS - 1) + "…" : message;
    }
  }

  RefusalReport report() {
    try (var _ = lock.hold()) {
      return new RefusalReport(byReason, Optional.ofNullable(last));
    }
  }
}
