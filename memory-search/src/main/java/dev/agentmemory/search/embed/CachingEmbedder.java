package dev.agentmemory.search.embed;

import dev.agentmemory.spi.measure.CacheUse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// Remembers vectors that were asked for lately, by the hash of their texts: what is embedded again
/// after a rebuild, or asked twice, costs nothing. Any thread may use it.
public final class CachingEmbedder implements Embedder {

  private final Embedder model;
  private final int capacity;

  /// The one used longest ago first. Guarded by itself.
  private final LinkedHashMap<Key, float[]> cache =
      new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true);

  private final LongAdder hits = new LongAdder();
  private final LongAdder misses = new LongAdder();

  /// @param capacity vectors that are remembered, 1 and up; each takes four bytes a number
  public CachingEmbedder(Embedder model, int capacity) {
    if (capacity < 1) {
      throw new IllegalArgumentException("capacity below 1: " + capacity);
    }
    this.model = model;
    this.capacity = capacity;
  }

  /// Half of a text's SHA-256, which is unique in practice, and what the text is for: a model may
  /// read a question in another way.
  private record Key(boolean query, long high, long low) {

    static Key of(boolean query, String text) {
      ByteBuffer hash = ByteBuffer.wrap(sha256().digest(text.getBytes(StandardCharsets.UTF_16LE)));
      return new Key(query, hash.getLong(), hash.getLong());
    }

    private static MessageDigest sha256() {
      try {
        return MessageDigest.getInstance("SHA-256");
      } catch (NoSuchAlgorithmException e) {
        throw new AssertionError("every Java has SHA-256", e);
      }
    }
  }

  @Override
  public String model() {
    return model.model();
  }

  @Override
  public int dimension() {
    return model.dimension();
  }

  @Override
  public boolean reads(String text) {
    return model.reads(text);
  }

  @Override
  public boolean isLocal() {
    return model.isLocal();
  }

  /// The model is asked once, for what is not known yet, each text once.
  @Override
  public List<float[]> documents(List<String> texts) {
    Map<Key, float[]> found = new LinkedHashMap<>();
    Map<Key, String> missing = new LinkedHashMap<>();
    List<Key> keys = texts.stream().map(text -> Key.of(false, text)).toList();
    for (int i = 0; i < keys.size(); i++) {
      float[] known = known(keys.get(i));
      if (known == null) {
        missing.put(keys.get(i), texts.get(i));
      } else {
        found.put(keys.get(i), known);
      }
    }
    if (!missing.isEmpty()) {
      List<float[]> made = model.documents(List.copyOf(missing.values()));
      List<Key> asked = new ArrayList<>(missing.keySet());
      for (int i = 0; i < asked.size(); i++) {
        keep(asked.get(i), made.get(i));
        found.put(asked.get(i), made.get(i));
      }
    }
    return keys.stream().map(found::get).map(float[]::clone).toList();
  }

  @Override
  public float[] query(String text) {
    Key key = Key.of(true, text);
    float[] known = known(key);
    if (known != null) {
      return known.clone();
    }
    float[] made = model.query(text);
    keep(key, made);
    return made.clone();
  }

  @Override
  public CacheUse cacheUse() {
    return new CacheUse(hits.sum(), misses.sum());
  }

  @Override
  public void maintain() {
    model.maintain();
  }

  /// Closes the model, too.
  @Override
  public void close() {
    model.close();
  }

  private float @Nullable [] known(Key key) {
    float[] found;
    synchronized (cache) {
      found = cache.get(key);
    }
    (found == null ? misses : hits).increment();
    return found;
  }

  private void keep(Key key, float[] vector) {
    synchronized (cache) {
      cache.put(key, vector);
      if (cache.size() > capacity) {
        cache.pollFirstEntry();
      }
    }
  }
}
