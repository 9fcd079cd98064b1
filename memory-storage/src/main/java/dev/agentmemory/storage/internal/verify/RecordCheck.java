package dev.agentmemory.storage.internal.verify;

import dev.agentmemory.storage.internal.codec.Counters;
import dev.agentmemory.storage.internal.codec.RecordCodec;
import dev.agentmemory.storage.internal.read.View;
import dev.agentmemory.storage.internal.rocksdb.Family;

/// Checks `records`: each row is UTF-8 and has a valid key. What a row means is known only to the
/// module that wrote it.
record RecordCheck(View view, Findings findings) {

  void run(Counters counters) {
    long[] rows = new long[1];
    view.scanAll(
        Family.RECORDS,
        row -> {
          rows[0]++;
          byte[] key = row.key();
          findings.readable(Family.RECORDS, key, () -> RecordCodec.decode(key, row.value()));
          return findings.more();
        });
    String problem = rows[0] + " rows, but " + counters.records() + " were counted";
    findings.demand(rows[0] == counters.records(), Family.RECORDS, "all", problem);
  }
}
