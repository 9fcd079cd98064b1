package dev.agentmemory.storage;

import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/// Where the engine's exceptions become ours.
final class Wall {

  /// The checksums of a damaged block, which tell a reader nothing, and its place.
  private static final Pattern CHECKSUMS =
      Pattern.compile(
          ": stored\\(context removed\\) = \\d+, computed = \\d+, type = \\d+\\s+in (.*?/)?([^/]+?) offset (\\d+) size \\d+(?:, block_type = (\\w+))?");

  private Wall() {}

  /// What the engine says about a failure; of a damaged block its file, place and kind.
  static String message(RocksDBException e) {
    String message = Objects.requireNonNullElse(e.getMessage(), "no reason given");
    return CHECKSUMS
        .matcher(message)
        .replaceAll(found -> {
          String type = found.group(4) == null ? "" : " (" + found.group(4) + ")";
          return Matcher.quoteReplacement(
              " in %s at byte %s%s".formatted(found.group(2), found.group(3), type));
        });
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
