package dev.agentmemory.recall.conversation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// What is kept in memory, and its bound.
class BoundedCacheTest {

  private final BoundedCache<Integer, String> cache = new BoundedCache<>(3);

  @Test
  void get_moreThanTheBound_dropsWhatWasNotUsed() {
    IntStream.range(0, 3).forEach(i -> cache.put(i, "v" + i));
    assertThat(cache.get(0, _ -> "loaded")).isEqualTo("v0");
    assertThat(cache.get(3, key -> "loaded " + key)).isEqualTo("loaded 3");
    assertThat(cache.size()).isEqualTo(3);
    assertThat(cache.find(0)).contains("v0");
    assertThat(cache.find(1)).isEmpty();
  }

  @Test
  void remove_value_isLoadedAgain() {
    cache.put(1, "old");
    cache.remove(1);
    assertThat(cache.get(1, _ -> "new")).isEqualTo("new");
  }
}
