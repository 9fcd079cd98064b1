package dev.agentmemory.testkit.provider;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Embeddings in the formats of the two APIs. Each number counts the words with its hash, so texts
/// with common words are similar. The vectors are not normalised.
final class SensibleVectors {

  private static final int USUAL = 16;

  private SensibleVectors() {}

  /// @return the body of the response; empty when the request is not for embeddings
  static Optional<String> to(ModelRequest request) {
    List<String> inputs = request.inputs();
    int dimension = request.value("/dimensions").map(Integer::parseInt).orElse(USUAL);
    ObjectNode root = Formats.object();
    root.put("model", request.value("/model").orElse("unknown"));
    switch (request.path()) {
      case "/v1/embeddings" -> {
        ArrayNode data = root.put("object", "list").putArray("data");
        // The API numbers them, so clients must accept any order.
        for (int i = inputs.size() - 1; i >= 0; i--) {
          ObjectNode one = data.addObject().put("object", "embedding").put("index", i);
          fill(one.putArray("embedding"), inputs.get(i), dimension);
        }
      }
      case "/api/embed" -> {
        ArrayNode vectors = root.putArray("embeddings");
        inputs.forEach(input -> fill(vectors.addArray(), input, dimension));
      }
      default -> {
        return Optional.empty();
      }
    }
    return Optional.of(root.toString());
  }

  private static void fill(ArrayNode vector, String text, int dimension) {
    int[] counts = new int[dimension];
    for (String word : text.toLowerCase(Locale.ROOT).split("[^\\p{L}\\p{N}]+", -1)) {
      counts[Math.floorMod(word.hashCode(), dimension)]++;
    }
    for (int count : counts) {
      vector.add(count);
    }
  }
}
