package dev.agentmemory.bench.damage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/// One kind of damage to a file.
public sealed interface Damage {

  int CUTS = 3;
  int FLIPS = 12;

  /// Most bytes that a cut near the end removes.
  int SHORT_END = 64;

  /// Applies it.
  void apply(Path file) throws IOException;

  /// The file is deleted.
  record Removed() implements Damage {

    @Override
    public void apply(Path file) throws IOException {
      Files.delete(file);
    }

    @Override
    public String toString() {
      return "removed";
    }
  }

  /// The file is truncated.
  ///
  /// @param size bytes that are left
  record Cut(long size) implements Damage {

    @Override
    public void apply(Path file) throws IOException {
      try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
        channel.truncate(size);
      }
    }

    @Override
    public String toString() {
      return "cut to " + size + " bytes";
    }
  }

  /// One bit is flipped.
  ///
  /// @param at offset of the byte in the file
  /// @param bit 0 to 7
  record Flipped(long at, int bit) implements Damage {

    @Override
    public void apply(Path file) throws IOException {
      try (var channel =
          FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
        var one = ByteBuffer.allocate(1);
        channel.read(one, at);
        one.put(0, (byte) (one.get(0) ^ 1 << bit)).rewind();
        channel.write(one, at);
      }
    }

    @Override
    public String toString() {
      return "bit " + bit + " of byte " + at + " flipped";
    }
  }

  /// All damages of a file, one at a time: deletion, truncation to nothing, in the middle and near
  /// the end, and bits flipped in all parts. An empty file can only be deleted.
  ///
  /// @param size of the file in bytes
  static List<Damage> all(long size, SplittableRandom random) {
    var all = new ArrayList<Damage>();
    all.add(new Removed());
    if (size == 0) {
      return all;
    }
    all.add(new Cut(0));
    all.add(new Cut(random.nextLong(size)));
    all.add(new Cut(Math.max(0, size - random.nextLong(1, SHORT_END + 1))));
    for (int flip = 0; flip < FLIPS; flip++) {
      long from = size * flip / FLIPS;
      long to = Math.max(from + 1, size * (flip + 1) / FLIPS);
      all.add(new Flipped(random.nextLong(from, to), random.nextInt(8)));
    }
    return all;
  }
}
