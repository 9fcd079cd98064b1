package dev.agentmemory.recall.internal.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import dev.agentmemory.types.MemoryException;
import org.junit.jupiter.api.Test;

class MemoryVectorTest {

  @Test
  void row_isReadAsItWas() {
    var vector = new MemoryVector("m", new float[] {0.6f, -0.8f, 0});
    MemoryVector read = MemoryVector.read(vector.write());

    assertThat(read.model()).isEqualTo("m");
    assertThat(read.isComparable(vector)).isTrue();
    assertThat(read.cosine(vector)).isEqualTo(1, within(1e-3));
    // Little-endian, as other programs read it.
    assertThat(new MemoryVector("m", new float[] {1}).write()).contains("\"AACAPw==\"");
  }

  @Test
  void row_thatIsNoVector_isCorrupt() {
    assertThatExceptionOfType(MemoryException.class)
        .isThrownBy(() -> MemoryVector.read("{\"model\":\"m\",\"vector\":\"?\"}"));
    assertThatExceptionOfType(MemoryException.class).isThrownBy(() -> MemoryVector.read("{}"));
  }

  @Test
  void cosine_ofAnyLength_isTheScalarProduct() {
    for (int length = 1; length < 10; length++) {
      float[] one = new float[length];
      float[] other = new float[length];
      double expected = 0;
      for (int i = 0; i < length; i++) {
        one[i] = i + 1;
        other[i] = 0.5f * i - 1;
        expected += one[i] * other[i];
      }
      assertThat(new MemoryVector("m", one).cosine(new MemoryVector("m", other)))
          .isEqualTo(expected, within(1e-4));
    }
  }

  @Test
  void vectors_ofAnotherModelOrLength_areNotCompared() {
    var vector = new MemoryVector("m", new float[] {1, 0});
    assertThat(vector.isComparable(new MemoryVector("n", new float[] {1, 0}))).isFalse();
    assertThat(vector.isComparable(new MemoryVector("m", new float[] {1}))).isFalse();
  }
}
