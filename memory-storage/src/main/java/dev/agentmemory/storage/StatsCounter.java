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
  private final Sizes sizes;
  private final Runnable mayGoOn;

  /// What is on the disk, in bytes. Measured before the snapshot is taken: an engine may have a
  /// connection for one of both only.
  record Sizes(List<StoreUsage.Table> tables, long all) {

    static Sizes of(Rows rows) {
      return new Sizes(
          Arrays.stream(Table.values())
              .map(table -> new StoreUsage.Table(table.label(), rows.bytes(table)))
              .toList(),
          rows.bytes());
    }
  }

  /// @param mayGoOn called for every row; throws when the counting must end
  StatsCounter(View view, Sizes sizes, Runnable mayGoOn) {
    this.view = view;
    this.sizes = sizes;
    this.mayGoOn = mayGoOn;
  }

  /// @throws dev.agentmemory.types.MemoryException `CLOSED` when the store is closing,
  ///   `STORAGE_FAILED` while it is being reopened
  StoreUsage take() {
    Counters counters = new MetaRows(view).counters();
    return new StoreUsage(
        counters.events(),
        rows(Table.CONVERSATIONS, new byte[0]),
        rows(Table.SEGMENTS, Keys.segmentPrefix()),
        rows(Table.TOC_LATEST, new byte[0]),
        rows(Table.TOC_NODES, new byte[0]),
        rows(Table.GRIPS, Keys.gripPrefix()),
        counters.outboxHead() - counters.outboxTail() + 1,
        counters.records(),
        sizes.all(),
        sizes.tables());
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
