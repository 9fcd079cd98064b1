package dev.agentmemory.storage.internal.verify;

import dev.agentmemory.storage.internal.codec.ContentDigest;
import dev.agentmemory.storage.internal.codec.Counters;
import dev.agentmemory.storage.internal.home.StoreHeader;
import dev.agentmemory.storage.internal.read.View;

/// Checks a snapshot of a store, table by table, as a stream.
///
/// @param digest of the content of erased events
/// @param view reports to the findings what it cannot read
public record Verifier(View view, ContentDigest digest, Findings findings) {

  public void run() {
    Counters counters = StoreHeader.counters(view);
    new LogCheck(view, digest, findings).run(counters);
    new SegmentCheck(view, findings).run();
    new TocCheck(view, findings).run(counters);
    new GripCheck(view, findings).run();
    new UsageCheck(view, findings).run();
    new RecordCheck(view, findings).run(counters);
  }
}
