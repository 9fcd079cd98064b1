package dev.agentmemory.recall.conversation;

import dev.agentmemory.spi.Mutex;
import dev.agentmemory.spi.measure.CacheUse;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Keeps the values that were used last.
final class BoundedCache<K, V> {

  private static final float LOAD_FACTOR = 0.75f;

  private final Mutex lock = new Mutex();
  private final Map<K, V> values;

  // Guarded by the lock.
  private long hits;
  private long misses;

  /// @param most how many values are kept
  BoundedCache(int most) {
    values =
        new LinkedHashMap<>(16, LOAD_FACTOR, /* accessOrder= */ true) {
          @Override
          protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
            return size() > most;
          }
        };
  }

  /// The value of a key.
  ///
  /// @param load reads a value that is not there. It runs under the lock: otherwise a value that
  ///   was read before a write could be kept after [#remove] that belongs to the write
  V get(K key, Function<K, V> load) {
    try (var _ = lock.hold()) {
      @Nullable V known = values.get(key);
      if (known != null) {
        hits++;
        return known;
      }
      misses++;
      V loaded = load.apply(key);
      values.put(key, loaded);
      return loaded;
    }
  }

  Optional<V> find(K key) {
    try (var _ = lock.hold()) {
      @Nullable V known = values.get(key);
      if (known == null) {
        misses++;
      } else {
        hits++;
      }
      return Optional.ofNullable(known);
    }
  }

  void put(K key, V value) {
    try (var _ = lock.hold()) {
      values.put(key, value);
    }
  }

  void remove(K key) {
    try (var _ = lock.hold()) {
      values.remove(key);
    }
  }

  void clear() {
    try (var _ = lock.hold()) {
      values.clear();
    }
  }

  /// How often a value was there that was asked for.
  CacheUse use() {
    try (var _ = lock.hold()) {
      return new CacheUse(hits, misses);
    }
  }

  int size() {
    try (var _ = lock.hold()) {
      return values.size();
    }
  }
}
