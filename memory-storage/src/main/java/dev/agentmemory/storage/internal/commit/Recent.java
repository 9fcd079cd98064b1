package dev.agentmemory.storage.internal.commit;

import java.util.LinkedHashMap;
import java.util.function.Function;

/// Rows that the thread that writes has recently read or written, so that a busy session or node
/// needs no lookup. The cache is trimmed to its bound between two groups. Within a group no entry
/// may be removed, because the rows are not in the store yet.
final class Recent<K, V> {

  private final LinkedHashMap<K, V> entries = new LinkedHashMap<>(16, 0.75f, true);
  private final int bound;

  Recent(int bound) {
    this.bound = bound;
  }

  /// The value, loaded when it is not cached. A loader must return a value also when it finds no
  /// row.
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
