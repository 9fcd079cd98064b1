package dev.agentmemory.rocksdb;

import dev.agentmemory.rocksdb.internal.engine.Database;
import dev.agentmemory.rocksdb.internal.engine.Guard;
import dev.agentmemory.rocksdb.internal.home.DiskSpaceGuard;
import dev.agentmemory.rocksdb.internal.home.WitnessKeeper;
import dev.agentmemory.storage.codec.Counters;
import dev.agentmemory.storage.upkeep.StoreUpkeep;
import dev.agentmemory.store.Commit;
import dev.agentmemory.types.MemoryException;
import java.util.Optional;

/// The folder of an open store: its disk, its witness, and its lock.
record RocksUpkeep(
    StoreHome home,
    Database engine,
    Guard guard,
    StoreOpening opening,
    DiskSpaceGuard disk,
    WitnessKeeper witness)
    implements StoreUpkeep {

  @Override
  public void check(Commit commit) {
    disk.check(commit);
  }

  @Override
  public Optional<String> problem() {
    return disk.problem();
  }

  @Override
  public void look(long nowMillis, Counters acknowledged) {
    disk.look(nowMillis);
    witness.look(nowMillis, acknowledged);
  }

  @Override
  public boolean isLookDue(long nowMillis) {
    return disk.isLookDue(nowMillis);
  }

  @Override
  public void written(long bytes) {
    disk.written(bytes);
  }

  @Override
  public boolean hasSpace() {
    return disk.canReopen();
  }

  @Override
  public MemoryException full(Throwable cause) {
    return disk.full(cause);
  }

  @Override
  public void reopen(Failure failure, Counters acknowledged) {
    engine.cancelCompaction();
    boolean merging = failure != Failure.DAMAGE;
    guard.alone(
        () -> engine.reopen(merging, reading -> opening.checkReopened(reading, acknowledged)));
  }

  @Override
  public void stop() {
    engine.cancelCompaction();
  }

  @Override
  public void close(Counters acknowledged) {
    guard.close(() -> {
      try {
        engine.close();
        witness.write(acknowledged);
      } finally {
        witness.close();
        home.close();
      }
    });
  }
}
