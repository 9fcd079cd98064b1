package dev.agentmemory.bench.torture;

import dev.agentmemory.bench.damage.Damage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/// Changes the end of the newest log of a stopped daemon's store.
final class TornLog {

  private static final int LENGTH_AT = 4;
  private static final int HEADER = 7;
  private static final int BLOCK = 32 << 10;

  private TornLog() {}

  /// Appends the first part of a record, as a daemon does that is killed while it writes. Nothing
  /// that was acknowledged is changed.
  static void leaveStartOfARecord(Path data, SplittableRandom random) throws IOException {
    Optional<Path> log = newest(data);
    if (log.isEmpty()) {
      return;
    }
    byte[] bytes = Files.readAllBytes(log.get());
    if (bytes.length <= HEADER) {
      return;
    }
    int record =
        HEADER
            + Short.toUnsignedInt(
                ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getShort(LENGTH_AT));
    int rest = BLOCK - bytes.length % BLOCK;
    if (rest < HEADER) {
      return;
    }
    // No writer begins a record that is longer than the rest of its block.
    int most = record < rest ? Math.min(record, bytes.length) : HEADER;
    int part = random.nextInt(1, most);
    Files.write(log.get(), Arrays.copyOf(bytes, part), StandardOpenOption.APPEND);
  }

  /// Cuts bytes off the end.
  static void cut(Path data, long bytes) throws IOException {
    Optional<Path> log = newest(data);
    if (log.isPresent()) {
      new Damage.Cut(Math.max(0, Files.size(log.get()) - bytes)).apply(log.get());
    }
  }

  private static Optional<Path> newest(Path data) throws IOException {
    Path engine = data.resolve("db").resolve(TortureDaemon.WORKSPACE).resolve("rocksdb");
    try (Stream<Path> files = Files.list(engine)) {
      return files
          .filter(file -> file.getFileName().toString().endsWith(".log"))
          .max(Comparator.comparing(file -> file.getFileName().toString()));
    }
  }
}
