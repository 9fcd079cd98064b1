package dev.agentmemory.spi.measure;

/// How often a cache was asked since it was made.
///
/// @param hits what was found in it
/// @param misses what had to be read or computed
public record CacheUse(long hits, long misses) {

  public static final CacheUse NONE = new CacheUse(0, 0);

  public CacheUse plus(CacheUse other) {
    return new CacheUse(hits + other.hits, misses + other.misses);
  }
}
