package dev.agentmemory.postgres;

import dev.agentmemory.postgres.internal.PgRows;
import dev.agentmemory.postgres.internal.PgUpkeep;
import dev.agentmemory.storage.RowStore;
import dev.agentmemory.storage.codec.StoreHeader;
import dev.agentmemory.storage.read.CorruptionReport;
import dev.agentmemory.store.DamagedRange;
import dev.agentmemory.store.FileReader;
import dev.agentmemory.store.StoreFile;
import dev.agentmemory.store.registry.Ownership;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.IntConsumer;

/// A store in a PostgreSQL database, see [PostgresStores].
public final class PostgresStore extends RowStore {

  private final Ownership ownership;

  PostgresStore(PgRows rows, StoreHeader header, CommitQueue queue, InstantSource clock) {
    super(rows, header, new PgUpkeep(rows), new CorruptionReport(clock), queue, clock);
    this.ownership = rows;
  }

  /// Whether this process still has the store.
  public Ownership ownership() {
    return ownership;
  }

  /// The files are the database's.
  @Override
  public FileReader files() {
    return new FileReader() {
      @Override
      public List<StoreFile> files() {
        return List.of();
      }

      @Override
      public Optional<DamagedRange> check(StoreFile file, IntConsumer read) {
        return Optional.empty();
      }
    };
  }

  void begin() {
    start();
  }
}
