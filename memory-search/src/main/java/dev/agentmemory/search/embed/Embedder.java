package dev.agentmemory.search.embed;

import dev.agentmemory.spi.measure.CacheUse;
import java.util.List;

/// Turns texts into vectors: near texts, near vectors. May be called from any thread. Nothing is
/// loaded and no server is asked before the first of them.
public interface Embedder extends AutoCloseable {

  /// Longest vector that the index can hold.
  int MAX_DIMENSION = 1024;

  /// Names the model; vectors of different names cannot be compared.
  String model();

  /// Length of every vector, 1 to [#MAX_DIMENSION].
  ///
  /// @throws dev.agentmemory.types.MemoryException of the kind `UNAVAILABLE` when the model has to
  ///   be asked for it and cannot be now
  int dimension();

  /// @param texts what is to be found; what is too long for the model may be cut
  /// @return one vector of length 1 each, in the same order
  /// @throws dev.agentmemory.types.MemoryException of the kind `UNAVAILABLE` when the model cannot
  ///   be asked now
  List<float[]> documents(List<String> texts);

  /// Whether the model knows most of the characters or words of a text. What it does not know is
  /// all one to it: such texts have nearly the same vector whatever they say, so a question of them
  /// is better asked by words.
  ///
  /// @throws dev.agentmemory.types.MemoryException of the kind `UNAVAILABLE` when the model cannot
  ///   be asked now
  default boolean reads(String text) {
    return true;
  }

  /// @param text what is looked for
  /// @return a vector of length 1
  /// @throws dev.agentmemory.types.MemoryException of the kind `UNAVAILABLE` when the model cannot
  ///   be asked now
  float[] query(String text);

  /// Whether vectors are computed in this process, so that no server is waited for.
  default boolean isLocal() {
    return false;
  }

  /// How often vectors were asked for that were remembered.
  default CacheUse cacheUse() {
    return CacheUse.NONE;
  }

  /// To be called about once a minute: gives memory back that is not used.
  default void maintain() {}

  @Override
  default void close() {}
}
