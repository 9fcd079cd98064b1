package dev.agentmemory.storage.internal.commit;

import dev.agentmemory.storage.internal.codec.BatchBytes;
import dev.agentmemory.storage.internal.read.View;
import dev.agentmemory.storage.internal.rocksdb.Family;
import java.nio.ByteBuffer;

/// Rows for which a put has to know whether it adds one and a deletion whether it removes one. That
/// is needed to count rows, and because most deletions find nothing and would leave a tombstone.
final class FlagTable {

  private static final int BOUND = 1024;

  private final View view;
  private final Family family;
  private final int number;
  private final Recent<ByteBuffer, Boolean> recent = new Recent<>(BOUND);

  FlagTable(View view, Family family, Encoder.Numbers numbers) {
    this.view = view;
    this.family = family;
    this.number = numbers.of(family);
  }

  /// @return the change in the number of rows: 1 or 0
  int put(byte[] key, byte[] value, BatchBytes batch) {
    boolean there = has(key);
    batch.put(number, key, value);
    recent.put(ByteBuffer.wrap(key), true);
    return there ? 0 : 1;
  }

  /// @return the change in the number of rows: -1 or 0
  int delete(byte[] key, BatchBytes batch) {
    if (!has(key)) {
      return 0;
    }
    batch.delete(number, key);
    recent.put(ByteBuffer.wrap(key), false);
    return -1;
  }

  void trim() {
    recent.trim();
  }

  private boolean has(byte[] key) {
    return recent.get(ByteBuffer.wrap(key), k -> isStored(key));
  }

  /// A row that cannot be read counts as absent. The count may then be one too high, which `verify`
  /// reports, but the put succeeds.
  private boolean isStored(byte[] key) {
    return view.tolerant(family, key, () -> view.has(family, key)).orElse(false);
  }
}
