package dev.agentmemory.search.embed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.search.Bench;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CachingEmbedderTest {

  /// Writes down what it was asked.
  private static final class Asked implements Embedder {
    private final Bench.WordEmbedder words = new Bench.WordEmbedder("one");
    private final List<String> texts = new ArrayList<>();
    private boolean down;

    @Override
    public String model() {
      return words.model();
    }

    @Override
    public int dimension() {
      return words.dimension();
    }

    @Override
    public List<float[]> documents(List<String> batch) {
      batch.forEach(this::note);
      return words.documents(batch);
    }

    @Override
    public float[] query(String text) {
      note("? " + text);
      return words.query(text);
    }

    private void note(String text) {
      if (down) {
        throw new MemoryException(ErrorCode.MODEL_UNAVAILABLE, "down");
      }
      texts.add(text);
    }
  }

  private final Asked model = new Asked();

  @Test
  void documents_askOnceForWhatIsMissing() {
    CachingEmbedder cache = new CachingEmbedder(model, 10);
    cache.documents(List.of("a", "b"));
    List<float[]> found = cache.documents(List.of("c", "a", "c", "b"));
    assertThat(model.texts).containsExactly("a", "b", "c");
    assertThat(found)
        .usingRecursiveComparison()
        .isEqualTo(model.words.documents(List.of("c", "a", "c", "b")));
  }

  @Test
  void query_isNoDocument() {
    CachingEmbedder cache = new CachingEmbedder(model, 10);
    cache.documents(List.of("a"));
    cache.query("a");
    cache.query("a");
    assertThat(model.texts).containsExactly("a", "? a");
  }

  @Test
  void full_forgetsWhatWasUsedLongestAgo() {
    CachingEmbedder cache = new CachingEmbedder(model, 2);
    cache.documents(List.of("a", "b"));
    cache.documents(List.of("a"));
    cache.documents(List.of("c"));
    model.texts.clear();
    cache.documents(List.of("a", "c"));
    assertThat(model.texts).isEmpty();
    cache.documents(List.of("b"));
    assertThat(model.texts).containsExactly("b");
  }

  @Test
  void batchLargerThanTheCache_isAnsweredInFull() {
    CachingEmbedder cache = new CachingEmbedder(model, 1);
    assertThat(cache.documents(List.of("a", "b", "c", "a"))).hasSize(4).doesNotContainNull();
  }

  @Test
  void vectors_areTheCallersOwn() {
    CachingEmbedder cache = new CachingEmbedder(model, 10);
    cache.query("a")[0] = 7;
    cache.documents(List.of("a")).getFirst()[0] = 7;
    assertThat(cache.query("a")).isEqualTo(model.words.query("a"));
    assertThat(cache.documents(List.of("a")).getFirst()).isEqualTo(model.words.query("a"));
  }

  @Test
  void failure_isNotRemembered() {
    CachingEmbedder cache = new CachingEmbedder(model, 10);
    model.down = true;
    assertThatThrownBy(() -> cache.query("a")).isInstanceOf(MemoryException.class);
    model.down = false;
    assertThat(cache.query("a")).isEqualTo(model.words.query("a"));
  }
}
