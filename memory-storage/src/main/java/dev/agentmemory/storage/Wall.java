package dev.agentmemory.storage;

import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.util.Objects;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/// Where the engine's exceptions become ours.
final class Wall {

  private Wall() {}

  /// What the engine says about a failure.
  static String message(RocksDBException e) {
    return Objects.requireNonNullElse(e.getMessage(), "no reason given");
  }

  static MemoryException translated(String doing, RocksDBException e) {
    Status status = e.getStatus();
    if (status != null && status.getSubCode() == Status.SubCode.NoSpace) {
      return new MemoryException(
          ErrorCode.DISK_FULL, "the disk is full " + doing + "; make room there and try again", e);
    }
    boolean corrupt = status != null && status.getCode() == Status.Code.Corruption;
    return new MemoryException(
        corrupt ? ErrorCode.CORRUPT_RECORD : ErrorCode.STORAGE_FAILED,
        "the storage engine failed " + doing + "; look at the disk and at the log of the engine",
        e);
  }
}
