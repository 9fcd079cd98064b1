package dev.agentmemory.recall.internal.record;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Base64;

/// A vector of length 1 and the model that made it. Vectors of different models cannot be compared.
public final class MemoryVector {

  private final String model;
  private final float[] values;

  /// @param values are not copied
  public MemoryVector(String model, float[] values) {
    // Thousands of vectors name the same model, and a search compares all names.
    this.model = model.intern();
    this.values = values;
  }

  /// `{"schema_version":1,"model":"…","vector":"base64 of float32, little-endian"}`
  static MemoryVector read(String row) {
    ObjectNode json = RecordJson.parse(row);
    String model = RecordJson.text(json, "model");
    try {
      ByteBuffer bytes =
          ByteBuffer.wrap(Base64.getDecoder().decode(RecordJson.text(json, "vector")))
              .order(ByteOrder.LITTLE_ENDIAN);
      float[] values = new float[bytes.remaining() / Float.BYTES];
      bytes.asFloatBuffer().get(values);
      return new MemoryVector(model, values);
    } catch (IllegalArgumentException e) {
      throw RecordJson.corrupt("a stored vector is no base64");
    }
  }

  String write() {
    ByteBuffer bytes =
        ByteBuffer.allocate(values.length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asFloatBuffer().put(values);
    ObjectNode json = RecordJson.object();
    json.put("schema_version", 1).put("model", model);
    json.put("vector", Base64.getEncoder().encodeToString(bytes.array()));
    return RecordJson.write(json);
  }

  public String model() {
    return model;
  }

  /// How many numbers it has.
  public int length() {
    return values.length;
  }

  /// Copies the numbers into an array.
  public void copyTo(float[] target, int at) {
    System.arraycopy(values, 0, target, at, values.length);
  }

  /// Whether the cosine of two vectors means something.
  public boolean isComparable(MemoryVector other) {
    return model.equals(other.model) && values.length == other.values.length;
  }

  /// -1 to 1.
  public double cosine(MemoryVector other) {
    float[] one = values;
    float[] two = other.values;
    // Four sums that do not depend on each other: the processor computes them at the same time.
    float a = 0;
    float b = 0;
    float c = 0;
    float d = 0;
    int i = 0;
    for (; i + 3 < one.length; i += 4) {
      a += one[i] * two[i];
      b += one[i + 1] * two[i + 1];
      c += one[i + 2] * two[i + 2];
      d += one[i + 3] * two[i + 3];
    }
    for (; i < one.length; i++) {
      a += one[i] * two[i];
    }
    return a + b + c + d;
  }
}
