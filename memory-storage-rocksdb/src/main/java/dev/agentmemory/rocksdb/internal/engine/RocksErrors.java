package dev.agentmemory.rocksdb.internal.engine;

import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/// Translates errors of RocksDB into errors of the store.
public final class RocksErrors {

  /// The checksums of a damaged block, which do not help a reader, and its place.
  private static final Pattern CHECKSUMS =
      Pattern.compile(
          ": stored\\(context removed\\) = \\d+, computed = \\d+, type = \\d+\\s+in (.*?/)?([^/]+?) offset (\\d+) size \\d+(?:, block_type = (\\w+))?");

  private RocksErrors() {}

  /// The engine's message about a failure; for a damaged block its file, place and kind.
  public static String message(RocksDBException e) {
    String message = Objects.requireNonNullElse(e.getMessage(), "no reason given");
    return CHECKSUMS
        .matcher(message)
        .replaceAll(found -> {
          String type = found.group(4) == null ? "" : " (" + found.group(4) + ")";
          return Matcher.quoteReplacement(
              " in %s at byte %s%s".formatted(found.group(2), found.group(3), type));
        });
  }

  /// The exception for a store that is refused. The message says what the user can do.
  public static MemoryException damaged(String what) {
    return new MemoryException(
        ErrorCode.STORE_DAMAGED,
        what
            + "; nothing was changed: put the file back, restore a backup with `memory restore`, or"
            + " copy what can be read with `memory recover`");
  }

  public static MemoryException translated(String doing, RocksDBException e) {
    Status status = e.getStatus();
    if (status != null && status.getSubCode() == Status.SubCode.NoSpace) {
      return new MemoryException(
          ErrorCode.DISK_FULL,
          "the disk is full " + doing + "; free some disk space and try again",
          e);
    }
    boolean corrupt = status != null && status.getCode() == Status.Code.Corruption;
    return new MemoryException(
        corrupt ? ErrorCode.CORRUPT_RECORD : ErrorCode.STORAGE_FAILED,
        "the storage engine failed " + doing + "; check the disk and the RocksDB log",
        e);
  }
}
