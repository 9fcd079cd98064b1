package dev.agentmemory.search.embed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.langchain4j.model.embedding.onnx.bgesmallenv15q.BgeSmallEnV15QuantizedEmbeddingModel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class OnnxEmbedderTest {

  private static final OnnxEmbedder EMBEDDER = new OnnxEmbedder(2);

  @AfterAll
  static void close() {
    EMBEDDER.close();
  }

  private static double cosine(float[] one, float[] other) {
    double sum = 0;
    for (int i = 0; i < one.length; i++) {
      sum += (double) one[i] * other[i];
    }
    return sum;
  }

  @Test
  void documents_areThoseOfTheModelsOwnLibrary() {
    List<String> texts =
        List.of(
            "Caroline: I went to the support group yesterday and it was so powerful.",
            "user: Why does `parseHttpHeader` throw java.lang.NullPointerException at line 42?",
            "assistant: ok",
            "user: Grüße aus Köln, 我们明天去北京开会 😀",
            "user: " + "a long line about many things, again and again; ".repeat(10));
    List<float[]> found = EMBEDDER.documents(texts);
    var reference = new BgeSmallEnV15QuantizedEmbeddingModel(Runnable::run);
    assertThat(found).hasSameSizeAs(texts);
    for (int i = 0; i < texts.size(); i++) {
      assertThat(found.get(i)).hasSize(EMBEDDER.dimension());
      assertThat(cosine(found.get(i), reference.embed(texts.get(i)).content().vector()))
          .as(texts.get(i))
          .isGreaterThan(0.9999);
    }
  }

  @Test
  void reads_whatTheModelKnows() {
    assertThat(EMBEDDER.reads("which version of PostgreSQL do we use?")).isTrue();
    assertThat(EMBEDDER.reads("Grüße aus Köln, où est le café?")).isTrue();
    assertThat(EMBEDDER.reads("缓存服务器的超时设置是多少")).isFalse();
    assertThat(EMBEDDER.reads("")).isTrue();
  }

  @Test
  void query_isNearestToItsAnswer() {
    List<float[]> found =
        EMBEDDER.documents(
            List.of(
                "user: my dog is called Rex", "user: we moved the database to Postgres", "hello"));
    float[] query = EMBEDDER.query("Which database do we use?");
    assertThat(cosine(query, found.get(1)))
        .isGreaterThan(cosine(query, found.get(0)))
        .isGreaterThan(cosine(query, found.get(2)));
  }

  @Test
  void anyText_hasAVectorOfLengthOne() {
    List<String> texts =
        List.of(
            "", " \n", "\u0000", "\ud83d", "😀".repeat(400), "漢".repeat(5000), "x".repeat(5000));
    for (float[] vector : EMBEDDER.documents(texts)) {
      assertThat(cosine(vector, vector)).isBetween(0.9999, 1.0001);
    }
    for (String text : texts) {
      float[] vector = EMBEDDER.query(text);
      assertThat(cosine(vector, vector)).isBetween(0.9999, 1.0001);
    }
    assertThat(EMBEDDER.documents(List.of())).isEmpty();
  }

  @Test
  void sideBySide_everybodyGetsTheirOwn() throws ExecutionException, InterruptedException {
    List<String> texts = IntStream.range(0, 12).mapToObj(i -> "number " + i).toList();
    List<float[]> alone =
        texts.stream().map(List::of).map(EMBEDDER::documents).map(List::getFirst).toList();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<List<float[]>>> calls = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        calls.add(threads.submit(() -> EMBEDDER.documents(texts)));
      }
      for (Future<List<float[]>> call : calls) {
        assertThat(call.get()).usingRecursiveComparison().isEqualTo(alone);
      }
    }
  }

  @Test
  void unused_isUnloaded_andComesBack() {
    AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
    try (OnnxEmbedder embedder =
        new OnnxEmbedder(1, Optional.empty(), Duration.ofMinutes(10), nanos::get)) {
      assertThat(embedder.isLoaded()).isFalse();
      float[] before = embedder.query("one");
      embedder.maintain();
      assertThat(embedder.isLoaded()).isTrue();
      nanos.addAndGet(Duration.ofMinutes(10).toNanos());
      embedder.maintain();
      assertThat(embedder.isLoaded()).isFalse();
      assertThat(embedder.query("one")).isEqualTo(before);
    }
  }

  @Test
  void closed_saysSo() {
    OnnxEmbedder embedder = new OnnxEmbedder(1);
    embedder.close();
    embedder.close();
    assertThatThrownBy(() -> embedder.query("one"))
        .isInstanceOfSatisfying(
            MemoryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CLOSED));
  }

  @Test
  void noThread_isRefused() {
    assertThatThrownBy(() -> new OnnxEmbedder(0)).hasMessageContaining("threads");
  }
}
