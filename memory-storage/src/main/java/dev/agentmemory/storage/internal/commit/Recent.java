package dev.agentmemory.storage.internal.commit;

import java.util.LinkedHashMap;
import java.util.function.Function;

/// What the commit thread has lately read or written, so that a busy session or node costs no
/// lookup. Between two groups it is cut to its bound; within a group nothing may be dropped, since
/// the rows are not in the store yet.
final class Recent<K, V> {

  private final LinkedHashMap<K, V> entries = new LinkedHashMap<>(16, 0.75f, true);
  private final int bound;

  Recent(int bound) {
    this.bound = bound;
  }

  /// The value, loaded when it is not at hand. A loader that finds nothing says so with a value.
  V get(K key, Function<K, V> loading) {
    V value = entries.get(key);
    if (value == null) {
      value = loading.apply(key);
      entries.put(key, value);
    }
    return value;
  }

  void put(K key, V value) {
    entries.put(key, value);
  }

  void trim() {
    while (entries.size() > bound) {
      entries.pollFirstEntry();
    }
  }
}
