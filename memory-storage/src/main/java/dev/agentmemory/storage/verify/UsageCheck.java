package dev.agentmemory.storage.verify;

import dev.agentmemory.storage.codec.CallCodec;
import dev.agentmemory.storage.codec.Keys;
import dev.agentmemory.storage.read.View;
import dev.agentmemory.storage.rows.Table;
import dev.agentmemory.types.ModelCall;
import java.util.Arrays;

/// Checks `usage`. The node of a call may have been deleted; the call still counts.
record UsageCheck(View view, Findings findings) {

  void run() {
    view.scanAll(
        Table.USAGE,
        row -> {
          byte[] key = row.key();
          findings
              .readable(Table.USAGE, key, () -> CallCodec.decode(row.value()))
              .ifPresent(call -> checkPlace(key, call));
          return findings.more();
        });
  }

  private void checkPlace(byte[] key, ModelCall call) {
    boolean inPlace = Arrays.equals(key, Keys.call(call));
    findings.demand(
        inPlace, Table.USAGE, Keys.text(key), "is stored under the key of another call");
  }
}
