package dev.agentmemory.storage.internal.verify;

import dev.agentmemory.storage.internal.codec.Counters;
import dev.agentmemory.storage.internal.home.StoreHeader;
import dev.agentmemory.storage.internal.read.View;

/// Checks a snapshot of a store, table by table, as a stream.
public final class Verifier {

  private final View view;
  private final Findings findings;

  /// @param view reports to the findings what it cannot read
  public Verifier(View view, Findings findings) {
    this.view = view;
    this.findings = findings;
  }

  public void run() {
    Counters counters = StoreHeader.counters(view);
    new LogCheck(view, findings).run(counters);
    new SegmentCheck(view, findings).run();
    new TocCheck(view, findings).run(counters);
    new GripCheck(view, findings).run();
    new UsageCheck(view, findings).run();
  }
}
