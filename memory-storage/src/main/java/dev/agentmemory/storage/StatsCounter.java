package dev.agentmemory.storage;

import dev.agentmemory.storage.codec.Counters;
import dev.agentmemory.storage.codec.Keys;
import dev.agentmemory.storage.read.MetaRows;
import dev.agentmemory.storage.read.View;
import dev.agentmemory.storage.rows.Cursor;
import dev.agentmemory.storage.rows.Rows;
import dev.agentmemory.storage.rows.Table;
import dev.agentmemory.store.StoreUsage;
import java.util.Arrays;
import java.util.List;

/// Counts the rows of a snapshot of a store. Rows without a counter are counted key by key. A
/// counter for each table would have to be updated with every commit, and these counts are
/// requested rarely.
final class StatsCounter {

  private final View view;
  private final Rows sizes;
  private final Runnable mayGoOn;

  /// @param sizes of the tables on the disk
  /// @param mayGoOn called for every row; throws when the counting must end
  StatsCounter(View view, Rows sizes, Runnable mayGoOn) {
    this.view = view;
    this.sizes = sizes;
    this.mayGoOn = mayGoOn;
  }

  /// @throws dev.agentmemory.types.MemoryException `CLOSED` when the store is closing,
  ///   `STORAGE_FAILED` while it is being reopened
  StoreUsage take() {
    Counters counters = new MetaRows(view).counters();
    List<StoreUsage.Table> tables =
        Arrays.stream(Table.values())
            .map(table -> new StoreUsage.Table(table.label(), sizes.bytes(table)))
            .toList();
    return new StoreUsage(
        counters.events(),
        rows(Table.CONVERSATIONS, new byte[0]),
        rows(Table.SEGMENTS, Keys.segmentPrefix()),
        rows(Table.TOC_LATEST, new byte[0]),
        rows(Table.TOC_NODES, new byte[0]),
        rows(Table.GRIPS, Keys.gripPrefix()),
        counters.outboxHead() - counters.outboxTail() + 1,
        counters.records(),
        sizes.bytes(),
        tables);
  }

  private long rows(Table table, byte[] prefix) {
    long[] rows = new long[1];
    Cursor.Visitor count =
        row -> {
          mayGoOn.run();
          rows[0]++;
          return true;
        };
    view.scan(table, prefix, count);
    return rows[0];
  }
}
