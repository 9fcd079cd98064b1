package dev.agentmemory.storage;

/// Checks one moment of a store, table by table, streaming.
final class Verifier {

  private final View view;
  private final Findings findings;

  /// @param view tells the findings what it cannot read
  Verifier(View view, Findings findings) {
    this.view = view;
    this.findings = findings;
  }

  void run() {
    Counters counters = StoreHeader.counters(view);
    new LogCheck(view, findings).run(counters);
    new SegmentCheck(view, findings).run();
    new TocCheck(view, findings).run(counters);
    new GripCheck(view, findings).run();
    new UsageCheck(view, findings).run();
  }
}
