package dev.agentmemory.service;

import java.time.Duration;

/// How much of one ingest stream may be unanswered, and for how long its client may leave the
/// answers unread. Reading stops once either bound is reached, so the most in memory is the bound
/// and one message more.
///
/// @param timeout a stream none of whose answers could leave for that long is ended; it may take
///   twice as long
public record StreamWindow(int events, int bytes, Duration timeout) {

  /// 4096 events, 8 MiB, 30 s.
  public static final StreamWindow DEFAULT = new StreamWindow(4096, 8 << 20);

  public StreamWindow {
    if (events < 1 || bytes < 1) {
      throw new IllegalArgumentException("window below 1: " + events + " events, " + bytes);
    }
    if (timeout.toMillis() < 1) {
      throw new IllegalArgumentException("the timeout is " + timeout + ", expected 1 ms and up");
    }
  }

  public StreamWindow(int events, int bytes) {
    this(events, bytes, Duration.ofSeconds(30));
  }
}
