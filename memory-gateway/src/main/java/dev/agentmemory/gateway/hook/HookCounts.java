package dev.agentmemory.gateway.hook;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/// What happened to messages of hooks since the start.
public final class HookCounts {

  /// What is counted.
  public enum Outcome {
    STORED,
    KNOWN,
    REFUSED,
    /// Could not be stored when it was posted.
    FAILED,
    /// Was stored, but the context that answers it could not be looked up.
    CONTEXT_FAILED,
    UNREADABLE,
    UNKNOWN_AGENT,
    NOT_RECORDED,
    /// Was not recorded, while `capture.json` could not be read.
    CAPTURE_UNREADABLE,
    WAITING_IN_SPOOL,
    TRANSCRIPT_REFUSED,
    TRANSCRIPT_FAILED,
    /// Malformed or too long lines of transcripts.
    TRANSCRIPT_LINES_UNREADABLE,
    ANSWERED_WITH_CONTEXT
  }

  private final Map<Outcome, LongAdder> counts = new ConcurrentHashMap<>();

  void add(Outcome outcome) {
    add(outcome, 1);
  }

  void add(Outcome outcome, long times) {
    if (times > 0) {
      counts.computeIfAbsent(outcome, _ -> new LongAdder()).add(times);
    }
  }

  public long of(Outcome outcome) {
    LongAdder count = counts.get(outcome);
    return count == null ? 0 : count.sum();
  }

  /// All that are not zero.
  public Map<Outcome, Long> all() {
    var all = new TreeMap<Outcome, Long>();
    counts.forEach((outcome, count) -> all.put(outcome, count.sum()));
    return all;
  }
}
