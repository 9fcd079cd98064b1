package dev.agentmemory.storage.verify;

import dev.agentmemory.storage.codec.Counters;
import dev.agentmemory.storage.codec.RecordCodec;
import dev.agentmemory.storage.read.View;
import dev.agentmemory.storage.rows.Table;

/// Checks `records`: each row is UTF-8 and has a valid key. What a row means is known only to the
/// module that wrote it.
record RecordCheck(View view, Findings findings) {

  void run(Counters counters) {
    long[] rows = new long[1];
    view.scanAll(
        Table.RECORDS,
        row -> {
          rows[0]++;
          byte[] key = row.key();
          findings.readable(Table.RECORDS, key, () -> RecordCodec.decode(key, row.value()));
          return findings.more();
        });
    String problem = rows[0] + " rows, but " + counters.records() + " were counted";
    findings.demand(rows[0] == counters.records(), Table.RECORDS, "all", problem);
  }
}
