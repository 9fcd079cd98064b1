package dev.agentmemory.api;

import java.util.Map;
import java.util.Optional;

/// Events that were refused, and so not stored, since the daemon was started.
///
/// @param byReason their number by invalid field, such as `event.text`; `conflict` for an event id
///   that was used with another session, type, role or text
/// @param last the message of the last one; empty if none was refused
public record RefusalReport(Map<String, Long> byReason, Optional<String> last) {

  public static final RefusalReport NONE = new RefusalReport(Map.of(), Optional.empty());

  public RefusalReport {
    byReason = Map.copyOf(byReason);
  }

  /// Their total number.
  public long total() {
    return byReason.values().stream().mapToLong(Long::longValue).sum();
  }
}
