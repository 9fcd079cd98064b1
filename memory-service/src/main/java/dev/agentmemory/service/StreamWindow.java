package dev.agentmemory.service;

/// How much of one ingest stream may be unanswered. Reading stops once either bound is reached, so
/// the most in memory is the bound and one message more.
public record StreamWindow(int events, int bytes) {

  /// 4096 events, 8 MiB.
  public static final StreamWindow DEFAULT = new StreamWindow(4096, 8 << 20);

  public StreamWindow {
    if (events < 1 || bytes < 1) {
      throw new IllegalArgumentException("window below 1: " + events + " events, " + bytes);
    }
  }
}
