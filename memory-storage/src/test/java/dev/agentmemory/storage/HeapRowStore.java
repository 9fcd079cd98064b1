package dev.agentmemory.storage;

import dev.agentmemory.storage.codec.Counters;
import dev.agentmemory.storage.codec.Keys;
import dev.agentmemory.storage.codec.StoreHeader;
import dev.agentmemory.storage.measure.CommitFigures;
import dev.agentmemory.storage.read.CorruptionReport;
import dev.agentmemory.storage.read.MetaRows;
import dev.agentmemory.storage.read.View;
import dev.agentmemory.storage.rows.RowBatch;
import dev.agentmemory.storage.rows.Table;
import dev.agentmemory.storage.upkeep.StoreUpkeep;
import dev.agentmemory.store.FileReader;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A store in [HeapRows], with an upkeep that notes what it is asked.
final class HeapRowStore extends RowStore {

  private HeapRowStore(HeapRows rows, StoreHeader header, StoreUpkeep upkeep, InstantSource clock) {
    super(
        rows,
        header,
        upkeep,
        new CorruptionReport(clock),
        new CommitQueue(100, 1 << 20, CommitFigures.untimed()),
        clock);
  }

  static HeapRowStore open(HeapRows rows) {
    return open(rows, new Upkeep(rows), InstantSource.system());
  }

  static HeapRowStore open(HeapRows rows, StoreUpkeep upkeep, InstantSource clock) {
    StoreHeader header = new MetaRows(View.of(rows)).header().orElseGet(() -> create(rows));
    var store = new HeapRowStore(rows, header, upkeep, clock);
    store.start();
    return store;
  }

  private static StoreHeader create(HeapRows rows) {
    StoreHeader fresh = StoreHeader.create(Optional.empty(), Instant.EPOCH);
    RowBatch batch = rows.batch();
    batch.put(Table.META, Keys.STORE, fresh.encode());
    rows.write(batch);
    return fresh;
  }

  @Override
  public FileReader files() {
    throw new UnsupportedOperationException("it has none");
  }

  /// Whether there is space, and what was reopened for which failure.
  static final class Upkeep implements StoreUpkeep {

    final List<Failure> reopened = Collections.synchronizedList(new ArrayList<>());
    volatile boolean hasSpace = true;
    volatile @Nullable MemoryException refusal;
    private final HeapRows rows;

    Upkeep(HeapRows rows) {
      this.rows = rows;
    }

    @Override
    public boolean hasSpace() {
      return hasSpace;
    }

    @Override
    public MemoryException full(Throwable cause) {
      return new MemoryException(ErrorCode.DISK_FULL, "full", cause);
    }

    @Override
    public void reopen(Failure failure, Counters acknowledged) {
      reopened.add(failure);
      MemoryException why = refusal;
      if (why != null) {
        throw why;
      }
    }

    @Override
    public void close(Counters acknowledged) {
      rows.close();
    }
  }
}
