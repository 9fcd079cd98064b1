package dev.agentmemory.storage.internal.commit;

import dev.agentmemory.storage.internal.codec.BatchBytes;
import dev.agentmemory.storage.internal.read.View;
import dev.agentmemory.storage.internal.rocksdb.Family;
import java.nio.ByteBuffer;

/// Rows of which it must be known whether a put adds one and a delete takes one away: because they
/// are counted, or because most deletes find nothing and would leave a mark of their own for ever.
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

  /// @return how many rows there are more: 1 or 0
  int put(byte[] key, byte[] value, BatchBytes batch) {
    boolean there = has(key);
    batch.put(number, key, value);
    recent.put(ByteBuffer.wrap(key), true);
    return there ? 0 : 1;
  }

  /// @return how many rows there are more: -1 or 0
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

  /// One that cannot be read counts as absent: the count may be one too high then, which `verify`
  /// reports, but whoever puts a mark is not held up.
  private boolean isStored(byte[] key) {
    return view.tolerant(family, key, () -> view.has(family, key)).orElse(false);
  }
}
