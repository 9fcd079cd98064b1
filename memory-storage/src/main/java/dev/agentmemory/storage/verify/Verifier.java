package dev.agentmemory.storage.verify;

import dev.agentmemory.storage.codec.ContentDigest;
import dev.agentmemory.storage.codec.Counters;
import dev.agentmemory.storage.read.MetaRows;
import dev.agentmemory.storage.read.View;

/// Checks a snapshot of a store, table by table, as a stream.
///
/// @param digest of the content of erased events
/// @param view reports to the findings what it cannot read
public record Verifier(View view, ContentDigest digest, Findings findings) {

  public void run() {
    Counters counters = new MetaRows(view).counters();
    new LogCheck(view, digest, findings).run(counters);
    new SegmentCheck(view, findings).run();
    new TocCheck(view, findings).run(counters);
    new GripCheck(view, findings).run();
    new UsageCheck(view, findings).run();
    new RecordCheck(view, findings).run(counters);
  }
}
