package dev.agentmemory.storage;

import dev.agentmemory.store.Finding;
import java.util.List;
import java.util.function.BooleanSupplier;

/// Checks one moment of a store, table by table, streaming.
final class Verifier {

  private final View view;
  private final BooleanSupplier stopped;

  Verifier(View view, BooleanSupplier stopped) {
    this.view = view;
    this.stopped = stopped;
  }

  List<Finding> findings(int limit) {
    var findings = new Findings(limit, stopped);
    Counters counters = StoreHome.counters(view);
    new LogCheck(view, findings).run(counters);
    new SegmentCheck(view, findings).run();
    new TocCheck(view, findings).run(counters);
    new GripCheck(view, findings).run();
    return findings.list();
  }
}
