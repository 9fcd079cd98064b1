package dev.agentmemory.search.embed;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

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

  /// The model of this program.
  ///
  /// @param libraries folder in which it may unpack native libraries
  public static EmbeddingModel local(int threads, Path libraries) {
    var model = new OnnxEmbedder(threads, Optional.of(libraries), IDLE, System::nanoTime);
    return new EmbeddingModel(cached(model), model::tend, model::close);
  }

  /// A model that a server runs.
  public static EmbeddingModel remote(RemoteModel server) {
    var model = new RemoteEmbedder(server);
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
