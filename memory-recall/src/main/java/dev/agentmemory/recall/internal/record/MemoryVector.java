package dev.agentmemory.recall.internal.record;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Base64;

/// A vector of length 1 and the model that made it. Vectors of different models cannot be compared.
///
/// There is one of each memory in the heap, so its numbers have 16 bits. The cosine of two vectors
/// differs by less than a thousandth for that.
public final class MemoryVector {

  private final String model;
  private final short[] halves;

  public MemoryVector(String model, float[] values) {
    // Thousands of vectors name the same model, and a search compares all names.
    this.model = model.intern();
    this.halves = new short[values.length];
    for (int i = 0; i < values.length; i++) {
      halves[i] = Float.floatToFloat16(values[i]);
    }
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
        ByteBuffer.allocate(halves.length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asFloatBuffer().put(values());
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
    return halves.length;
  }

  /// A copy of the numbers.
  public float[] values() {
    float[] values = new float[halves.length];
    copyTo(values, 0);
    return values;
  }

  /// Copies the numbers into an array.
  public void copyTo(float[] target, int at) {
    for (int i = 0; i < halves.length; i++) {
      target[at + i] = Float.float16ToFloat(halves[i]);
    }
  }

  /// Whether the cosine of two vectors means something.
  public boolean isComparable(MemoryVector other) {
    return model.equals(other.model) && halves.length == other.halves.length;
  }

  /// -1 to 1.
  public double cosine(MemoryVector other) {
    return cosine(other.values());
  }

  /// -1 to 1.
  ///
  /// @param other the numbers of a comparable vector
  public double cosine(float[] other) {
    short[] one = halves;
    // Four sums that do not depend on each other: the processor computes them at the same time.
    float a = 0;
    float b = 0;
    float c = 0;
    float d = 0;
    int i = 0;
    for (; i + 3 < one.length; i += 4) {
      a += Float.float16ToFloat(one[i]) * other[i];
      b += Float.float16ToFloat(one[i + 1]) * other[i + 1];
      c += Float.float16ToFloat(one[i + 2]) * other[i + 2];
      d += Float.float16ToFloat(one[i + 3]) * other[i + 3];
    }
    for (; i < one.length; i++) {
      a += Float.float16ToFloat(one[i]) * other[i];
    }
    return a + b + c + d;
  }
}
