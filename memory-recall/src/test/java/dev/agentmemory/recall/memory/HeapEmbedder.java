package dev.agentmemory.recall.memory;

import dev.agentmemory.recall.MemoryEmbedder;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// Vectors of which a test knows the cosines: texts that were given the same direction point there,
/// at an angle of their own; others have a direction for each word.
final class HeapEmbedder implements MemoryEmbedder {

  private static final int DIMENSION = 64;

  private final Map<String, float[]> given = new HashMap<>();
  final List<String> embedded = new ArrayList<>();
  private Optional<String> model = Optional.of("test-model");
  private boolean failing;
  private Runnable during = () -> {};

  void use(Optional<String> changed) {
    model = changed;
  }

  void fail(boolean fails) {
    failing = fails;
  }

  /// Does something while texts are embedded.
  void during(Runnable action) {
    during = action;
  }

  /// Gives a text a vector whose cosine to the first axis is that.
  void point(String text, double cosine) {
    float[] vector = new float[DIMENSION];
    vector[0] = (float) cosine;
    vector[1] = (float) Math.sqrt(1 - cosine * cosine);
    given.put(text, vector);
  }

  private void check() {
    if (failing) {
      throw new MemoryException(ErrorCode.MODEL_UNAVAILABLE, "the model fails as it was told to");
    }
  }

  @Override
  public Optional<String> model() {
    return model;
  }

  @Override
  public List<float[]> embed(List<String> texts) {
    check();
    embedded.addAll(texts);
    during.run();
    return texts.stream().map(this::vector).toList();
  }

  @Override
  public float[] embedQuery(String query) {
    check();
    return vector(query);
  }

  @Override
  public Supplier<float[]> beginQuery(String query) {
    during.run();
    return () -> embedQuery(query);
  }

  private float[] vector(String text) {
    return given.containsKey(text) ? given.get(text).clone() : ofWords(text);
  }

  private static float[] ofWords(String text) {
    float[] vector = new float[DIMENSION];
    for (String word : text.toLowerCase(Locale.ROOT).split("\\W+", -1)) {
      vector[Math.floorMod(word.hashCode(), DIMENSION)] += 1;
    }
    double length = 0;
    for (float value : vector) {
      length += value * value;
    }
    for (int i = 0; i < DIMENSION; i++) {
      vector[i] /= (float) Math.sqrt(length);
    }
    return vector;
  }
}
