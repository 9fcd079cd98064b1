package dev.agentmemory.bench.search;

import dev.agentmemory.bench.result.Clock;
import dev.agentmemory.bench.result.Measured;
import dev.agentmemory.search.embed.Embedder;
import dev.agentmemory.search.embed.OnnxEmbedder;
import java.util.ArrayList;
import java.util.List;

/// Measures the daemon's own model in this process.
final class Embedding {

  /// Texts in one batch.
  private static final int BATCH = 64;

  private static final int WARM_UP = 100;

  private Embedding() {}

  /// Milliseconds for each question, one after the other.
  ///
  /// @param questions at least several
  static Measured queryMillis(List<String> questions) {
    try (var embedder = new OnnxEmbedder(1)) {
      questions.stream().limit(WARM_UP).forEach(embedder::query);
      var millis = new ArrayList<Double>();
      for (String question : questions) {
        Clock clock = Clock.start();
        var _ = embedder.query(question);
        millis.add(clock.micros() / 1000);
      }
      return new Measured(millis);
    }
  }

  /// Texts per second, in rounds after a warm-up.
  ///
  /// @param texts of one round
  static Measured perSecond(List<String> texts, int threads, int rounds) {
    try (var embedder = new OnnxEmbedder(threads)) {
      var rates = new ArrayList<Double>();
      for (int round = -1; round < rounds; round++) {
        Clock clock = Clock.start();
        embed(embedder, texts);
        if (round >= 0) {
          rates.add(texts.size() / clock.seconds());
        }
      }
      return new Measured(rates);
    }
  }

  /// Embeds texts once.
  static void embed(Embedder embedder, List<String> texts) {
    for (int from = 0; from < texts.size(); from += BATCH) {
      var _ = embedder.documents(texts.subList(from, Math.min(from + BATCH, texts.size())));
    }
  }
}
