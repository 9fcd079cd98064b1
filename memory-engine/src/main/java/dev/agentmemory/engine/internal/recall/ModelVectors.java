package dev.agentmemory.engine.internal.recall;

import dev.agentmemory.recall.MemoryEmbedder;
import dev.agentmemory.search.embed.Embedder;
import java.util.List;
import java.util.Optional;

/// The vectors of memories, by the model that embeds events.
record ModelVectors(Embedder embedder) implements MemoryEmbedder {

  static MemoryEmbedder of(Optional<Embedder> embedder) {
    return embedder.<MemoryEmbedder>map(ModelVectors::new).orElse(MemoryEmbedder.NONE);
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
}
