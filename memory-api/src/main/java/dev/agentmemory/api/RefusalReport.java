package dev.agentmemory.api;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/// Events that were refused since the daemon was started: what came in and is not stored.
///
/// @param byReason how many, by the field that was wrong, such as `event.text`; `conflict` for an
///   event id that is taken by other content
/// @param last what the last one was told; empty when none was refused
public record RefusalReport(Map<String, Long> byReason, Optional<String> last) {

  public static final RefusalReport NONE = new RefusalReport(Map.of(), Optional.empty());

  public RefusalReport {
    byReason = Map.copyOf(byReason);
    Objects.requireNonNull(last, "last");
  }

  /// How many, for whatever reason.
  public long total() {
    return byReason.values().stream().mapToLong(Long::longValue).sum();
  }
}
