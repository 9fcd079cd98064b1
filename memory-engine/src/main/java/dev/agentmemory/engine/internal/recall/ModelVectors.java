package dev.agentmemory.engine.internal.recall;

import dev.agentmemory.recall.MemoryEmbedder;
import dev.agentmemory.search.embed.Embedder;
import dev.agentmemory.toc.ParallelMapper;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// The vectors of memories, by the model that embeds events.
record ModelVectors(Embedder embedder, ParallelMapper mapper) implements MemoryEmbedder {

  static MemoryEmbedder of(Optional<Embedder> embedder, ParallelMapper mapper) {
    return embedder
        .<MemoryEmbedder>map(model -> new ModelVectors(model, mapper))
        .orElse(MemoryEmbedder.NONE);
  }

  @Override
  public Optional<String> model() {
    return Optional.of(embedder.model());
  }

  @Override
  public List<float[]> embed(List<String> texts) {
    return embedder.documents(texts);
  }

  @Override
  public float[] embedQuery(String query) {
    return embedder.query(query);
  }

  /// A server is asked by the thread of the call, which an interrupt ends.
  @Override
  public Supplier<float[]> beginQuery(String query) {
    return embedder.isLocal()
        ? mapper.begin(() -> embedder.query(query))
        : () -> embedder.query(query);
  }
}
