package dev.agentmemory.recall;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// Turns texts into vectors of length 1. May be called from any thread.
public interface MemoryEmbedder {

  /// Without a provider.
  MemoryEmbedder NONE =
      new MemoryEmbedder() {
        @Override
        public Optional<String> model() {
          return Optional.empty();
        }

        @Override
        public List<float[]> embed(List<String> texts) {
          throw new IllegalStateException("there is no model");
        }

        @Override
        public float[] embedQuery(String query) {
          throw new IllegalStateException("there is no model");
        }
      };

  /// Names the model; vectors of different names cannot be compared. Empty: there is no provider,
  /// and the other methods must not be called.
  Optional<String> model();

  /// @param texts what is to be found; what is too long for the model may be cut
  /// @return one vector each, in the same order
  /// @throws dev.agentmemory.types.MemoryException of the kind `UNAVAILABLE` when the model cannot
  ///   be asked now
  List<float[]> embed(List<String> texts);

  /// @param query what is looked for
  /// @throws dev.agentmemory.types.MemoryException of the kind `UNAVAILABLE` when the model cannot
  ///   be asked now
  float[] embedQuery(String query);

  /// Begins to embed a query, if there is a thread for it.
  ///
  /// @return waits for what [#embedQuery] returns or throws
  default Supplier<float[]> beginQuery(String query) {
    return () -> embedQuery(query);
  }
}
