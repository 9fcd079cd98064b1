package dev.agentmemory.daemon;

import dev.agentmemory.daemon.config.EmbeddingConfig;
import dev.agentmemory.search.Embedder;
import dev.agentmemory.search.OnnxEmbedder;
import java.time.Duration;
import java.util.Optional;

/// The model that gives events and questions their vectors. Nothing is loaded and nobody is asked
/// before the first of them.
///
/// @param tend is to be run now and then: gives memory back that is not used
/// @param closing gives everything back
record EmbeddingModel(Embedder embedder, Runnable tend, Runnable closing) implements AutoCloseable {

  /// Vectors that are remembered; those of the local model take 3 MB.
  private static final int REMEMBERED = 2000;

  /// How long a model inside the process is kept that nobody uses.
  private static final Duration IDLE = Duration.ofMinutes(10);

  /// @return empty when everything is found by its words
  static Optional<EmbeddingModel> open(EmbeddingConfig config) {
    return switch (config.provider()) {
      case NONE -> Optional.empty();
      case LOCAL -> Optional.of(local(config.threads()));
      case OPENAI, OLLAMA -> Optional.of(remote(config));
    };
  }

  private static EmbeddingModel local(int threads) {
    var model = new OnnxEmbedder(threads, IDLE, System::nanoTime);
    return new EmbeddingModel(cached(model), model::tend, model::close);
  }

  private static EmbeddingModel remote(EmbeddingConfig config) {
    throw new UnsupportedOperationException(config.toString());
  }

  private static Embedder cached(Embedder model) {
    return model;
  }

  @Override
  public void close() {
    closing.run();
  }
}
