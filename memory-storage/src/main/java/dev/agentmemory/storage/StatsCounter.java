package dev.agentmemory.storage;

import dev.agentmemory.storage.internal.codec.Counters;
import dev.agentmemory.storage.internal.codec.Keys;
import dev.agentmemory.storage.internal.home.StoreHeader;
import dev.agentmemory.storage.internal.read.View;
import dev.agentmemory.storage.internal.rocksdb.Cursor;
import dev.agentmemory.storage.internal.rocksdb.Database;
import dev.agentmemory.storage.internal.rocksdb.Family;
import dev.agentmemory.store.StoreUsage;
import java.util.Arrays;
import java.util.List;

/// Counts the rows of a snapshot of a store. Rows without a counter are counted key by key. A
/// counter for each table would have to be updated with every commit, and these counts are
/// requested rarely.
public final class StatsCounter {

  private final View view;
  private final Database engine;
  private final Runnable mayGoOn;

  /// @param mayGoOn called for every row; throws when the counting must end
  public StatsCounter(View view, Database engine, Runnable mayGoOn) {
    this.view = view;
    this.engine = engine;
    this.mayGoOn = mayGoOn;
  }

  /// @throws dev.agentmemory.types.MemoryException `CLOSED` when the store is closing,
  ///   `STORAGE_FAILED` while it is being reopened
  public StoreUsage take() {
    Counters counters = StoreHeader.counters(view);
    List<StoreUsage.Table> tables =
        Arrays.stream(Family.values())
            .map(family -> new StoreUsage.Table(family.table(), engine.diskBytes(family)))
            .toList();
    return new StoreUsage(
        counters.events(),
        rows(Family.CONVERSATIONS, new byte[0]),
        rows(Family.SEGMENTS, Keys.segmentPrefix()),
        rows(Family.TOC_LATEST, new byte[0]),
        rows(Family.TOC_NODES, new byte[0]),
        rows(Family.GRIPS, Keys.gripPrefix()),
        counters.outboxHead() - counters.outboxTail() + 1,
        counters.records(),
        engine.diskBytes(),
        tables);
  }

  private long rows(Family family, byte[] prefix) {
    long[] rows = new long[1];
    Cursor.Visitor count =
        row -> {
          mayGoOn.run();
          rows[0]++;
          return true;
        };
    if (prefix.length == 0) {
      view.scanAll(family, count);
    } else {
      view.scan(family, prefix, count);
    }
    return rows[0];
  }
}
