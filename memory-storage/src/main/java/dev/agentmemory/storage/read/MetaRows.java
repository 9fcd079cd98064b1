package dev.agentmemory.storage.read;

import dev.agentmemory.storage.codec.Counters;
import dev.agentmemory.storage.codec.Keys;
import dev.agentmemory.storage.codec.StoreHeader;
import dev.agentmemory.storage.rows.Table;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.util.Optional;
import java.util.function.Supplier;

/// Reads `meta`. A store whose rows there cannot be read is refused.
public record MetaRows(View view) {

  /// The stored header; empty when none was ever written.
  ///
  /// @throws MemoryException `STORE_DAMAGED` when the row cannot be read, `UNSUPPORTED_FORMAT`,
  ///   `CORRUPT_RECORD` when it is not valid
  public Optional<StoreHeader> header() {
    Optional<byte[]> row =
        needed(
            "the header of the store", () -> Optional.ofNullable(view.get(Table.META, Keys.STORE)));
    return row.map(StoreHeader::decode);
  }

  /// The counters; zero when none were ever written.
  ///
  /// @throws MemoryException `STORE_DAMAGED`
  public Counters counters() {
    return needed(
        "the counters of the store",
        () -> {
          byte[] row = view.get(Table.META, Keys.COUNTERS);
          return row == null ? Counters.NONE : Counters.decode(row);
        });
  }

  private static <T> T needed(String what, Supplier<T> reading) {
    try {
      return reading.get();
    } catch (MemoryException e) {
      e.rethrowUnless(ErrorCode.CORRUPT_RECORD);
      throw new MemoryException(
          ErrorCode.STORE_DAMAGED,
          "%s cannot be read (%s); nothing was changed: restore a backup with `memory restore`, or"
                  .formatted(what, e.getMessage())
              + " copy what can be read with `memory recover`",
          e);
    }
  }
}
