package dev.agentmemory.pipeline.ingest;

import dev.agentmemory.spi.Deferral;
import dev.agentmemory.spi.Mutex;
import dev.agentmemory.spi.Ticker;
import java.time.Duration;

/// Defers the background work of a workspace while events of an import come in. What was imported
/// is in the outbox, so a crash meanwhile loses nothing.
///
/// The work is deferred from a batch for this workspace on, and as long as batches arrive for any
/// workspace of the daemon, because an import fills one workspace after the other and all share the
/// processors: until [#SILENCE] after the last of them, and for [#LONGEST] at most. After that it
/// is deferred again only when there was a silence.
public final class ImportDeferral implements Deferral {

  /// Time without a batch after which an import is over. A script that imports from several agents
  /// needs less time between two commands.
  public static final Duration SILENCE = Duration.ofSeconds(2);

  /// How long background work waits at most.
  public static final Duration LONGEST = Duration.ofSeconds(60);

  private final Activity imports;
  private final Mutex lock = new Mutex();

  // Guarded by the lock.
  private boolean begun;
  private long start;

  /// When the last batch of an import arrived, for all workspaces of a daemon.
  public static final class Activity {

    private final Ticker ticker;
    private volatile long last;

    public Activity(Ticker ticker) {
      this.ticker = ticker;
      this.last = ticker.nanos() - SILENCE.toNanos();
    }

    private boolean isSilent(long now) {
      return now - last >= SILENCE.toNanos();
    }
  }

  public ImportDeferral(Activity imports) {
    this.imports = imports;
  }

  /// A batch of an import is about to be stored in this workspace.
  void batch() {
    try (var _ = lock.hold()) {
      long now = imports.ticker.nanos();
      if (!begun || imports.isSilent(now)) {
        begun = true;
        start = now;
      }
      imports.last = now;
    }
  }

  @Override
  public Duration left() {
    try (var _ = lock.hold()) {
      long now = imports.ticker.nanos();
      if (!begun || imports.isSilent(now)) {
        begun = false;
        return Duration.ZERO;
      }
      long untilSilent = imports.last + SILENCE.toNanos() - now;
      long untilEnd = start + LONGEST.toNanos() - now;
      return Duration.ofNanos(Math.max(0, Math.min(untilSilent, untilEnd)));
    }
  }
}
