package dev.agentmemory.storage;

import dev.agentmemory.store.Finding;
import java.util.List;

/// Checks one moment of a store, table by table, streaming.
final class Verifier {

  private final View view;
  private final Runnable between;

  Verifier(View view, Runnable between) {
    this.view = view;
    this.between = between;
  }

  List<Finding> findings(int limit) {
    var findings = new Findings(limit, between);
    Counters counters = StoreHome.counters(view);
    new LogCheck(view, findings).run(counters);
    new SegmentCheck(view, findings).run();
    new TocCheck(view, findings).run(counters);
    new GripCheck(view, findings).run();
    return findings.list();
  }
}
