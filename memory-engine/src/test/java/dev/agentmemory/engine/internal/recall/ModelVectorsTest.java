package dev.agentmemory.engine.internal.recall;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.recall.MemoryEmbedder;
import dev.agentmemory.search.embed.Embedder;
import dev.agentmemory.toc.ParallelMapper;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ModelVectorsTest {

  private final AtomicInteger begun = new AtomicInteger();

  private final ParallelMapper mapper =
      new ParallelMapper() {
        @Override
        public <T, R> List<R> map(List<T> items, Function<T, R> work) {
          return items.stream().map(work).toList();
        }

        @Override
        public <R> Supplier<R> begin(Supplier<R> work) {
          begun.incrementAndGet();
          return work;
        }
      };

  private record Model(boolean isLocal) implements Embedder {

    @Override
    public String model() {
      return "test";
    }

    @Override
    public int dimension() {
      return 1;
    }

    @Override
    public List<float[]> documents(List<String> texts) {
      return texts.stream().map(this::query).toList();
    }

    @Override
    public float[] query(String text) {
      return new float[] {1};
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void query_isBegunBesideTheCaller_onlyForALocalModel(boolean local) {
    MemoryEmbedder vectors = ModelVectors.of(Optional.of(new Model(local)), mapper);
    assertThat(vectors.beginQuery("kafka").get()).containsExactly(1);
    assertThat(begun).hasValue(local ? 1 : 0);
  }
}
