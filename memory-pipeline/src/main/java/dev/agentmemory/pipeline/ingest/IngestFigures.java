package dev.agentmemory.pipeline.ingest;

import dev.agentmemory.spi.Ticker;
import dev.agentmemory.spi.measure.Distribution;
import dev.agentmemory.store.Receipt;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/// What is measured of ingest: of all workspaces that have this object. Any thread may use it.
public final class IngestFigures {

  private final Ticker ticker;
  private final Distribution durations = Distribution.ofMicros();
  private final LongAdder stored = new LongAdder();
  private final LongAdder known = new LongAdder();
  private final LongAdder refused = new LongAdder();

  public IngestFigures(Ticker ticker) {
    this.ticker = ticker;
  }

  long nanos() {
    return ticker.nanos();
  }

  /// A call was answered.
  ///
  /// @param begun when it came
  void answered(long begun, List<Receipt> receipts) {
    durations.addNanos(ticker.nanos() - begun);
    for (Receipt receipt : receipts) {
      switch (receipt) {
        case Receipt.Created _ -> stored.increment();
        case Receipt.AlreadyKnown _ -> known.increment();
        case Receipt.Conflict _, Receipt.Erased _, Receipt.Refused _ -> refused.increment();
      }
    }
  }

  /// Microseconds from a call to its answer, masking and sync included.
  public Distribution.Counts durations() {
    return durations.counts();
  }

  /// How many new events were stored.
  public long stored() {
    return stored.sum();
  }

  /// How many events came that were stored already.
  public long known() {
    return known.sum();
  }

  /// How many events were refused by the limits, or because of their id.
  public long refused() {
    return refused.sum();
  }
}
