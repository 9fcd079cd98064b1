package dev.agentmemory.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/// What happens to a file.
sealed interface Damage {

  int CUTS = 3;
  int FLIPS = 12;

  /// The most bytes that the last of the cuts takes.
  int SHORT_END = 64;

  /// Does it.
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

  /// The file ends early.
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

  /// One bit has the other value.
  ///
  /// @param at the byte's place in the file
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

  /// All that is done to a file, one at a time: removed, cut to nothing, in the middle and near its
  /// end, and bits flipped all over it. An empty file can only be removed.
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
