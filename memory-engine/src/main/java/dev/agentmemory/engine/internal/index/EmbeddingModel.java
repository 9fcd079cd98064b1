package dev.agentmemory.engine.internal.index;

import dev.agentmemory.engine.config.EmbeddingConfig;
import dev.agentmemory.model.ModelEndpoint;
import dev.agentmemory.model.Provider;
import dev.agentmemory.search.embed.CachingEmbedder;
import dev.agentmemory.search.embed.Embedder;
import dev.agentmemory.search.embed.OnnxEmbedder;
import dev.agentmemory.search.embed.RemoteEmbedder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/// The model that gives events and questions their vectors. Nothing is loaded and nobody is asked
/// before the first of them.
///
/// @param tend is to be run now and then: gives memory back that is not used
/// @param closing gives everything back
public record EmbeddingModel(Embedder embedder, Runnable tend, Runnable closing)
    implements AutoCloseable {

  /// Vectors that are remembered; those of the local model take 3 MB.
  private static final int REMEMBERED = 2000;

  /// How long a model inside the process is kept that nobody uses.
  private static final Duration IDLE = Duration.ofMinutes(10);

  /// @param libraries folder in which the local model may unpack native libraries
  /// @return empty when everything is found by its words
  public static Optional<EmbeddingModel> open(EmbeddingConfig config, Path libraries) {
    return switch (config.provider()) {
      case NONE -> Optional.empty();
      case LOCAL -> Optional.of(local(config.threads(), libraries));
      case OPENAI -> Optional.of(remote(Provider.OPENAI, config));
      case OLLAMA -> Optional.of(remote(Provider.OLLAMA, config));
    };
  }

  private static EmbeddingModel local(int threads, Path libraries) {
    var model = new OnnxEmbedder(threads, Optional.of(libraries), IDLE, System::nanoTime);
    return new EmbeddingModel(cached(model), model::tend, model::close);
  }

  private static EmbeddingModel remote(Provider provider, EmbeddingConfig config) {
    var endpoint =
        new ModelEndpoint(
            provider,
            config.model().orElseThrow(),
            config.apiBaseUrl(),
            config.key(),
            config.timeout());
    var model =
        new RemoteEmbedder(
            endpoint, config.dimension().map(OptionalInt::of).orElseGet(OptionalInt::empty));
    return new EmbeddingModel(cached(model), () -> {}, model::close);
  }

  private static Embedder cached(Embedder model) {
    return new CachingEmbedder(model, REMEMBERED);
  }

  @Override
  public void close() {
    closing.run();
  }
}
