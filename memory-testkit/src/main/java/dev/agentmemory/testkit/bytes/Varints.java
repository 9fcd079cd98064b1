package dev.agentmemory.testkit.bytes;

import java.nio.ByteBuffer;

/// Numbers of variable length, as table files contain them.
final class Varints {

  private Varints() {}

  /// @throws java.nio.BufferUnderflowException when the bytes end before the number does
  static long read(ByteBuffer in) {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      byte next = in.get();
      value |= (long) (next & 0x7F) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw new IllegalArgumentException("a number has more than 64 bits");
  }

  /// A number that may be negative.
  static long readSigned(ByteBuffer in) {
    long value = read(in);
    return (value >>> 1) ^ -(value & 1);
  }
}
