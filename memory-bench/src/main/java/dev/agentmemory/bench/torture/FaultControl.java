package dev.agentmemory.bench.torture;

import dev.agentmemory.bench.daemon.Children;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/// Lets writes and syncs of one daemon fail and shifts its clock, through a library that the
/// daemon's process loads first (`faults.c`) and a file that both processes have mapped.
final class FaultControl {

  private static final String SOURCE = "faults.c";
  private static final int EIO = 5;

  // Offsets of the fields, in the order of the structure in the source.
  private static final int WRITE_ERROR = 0;
  private static final int SYNC_ERROR = 8;
  private static final int SHIFT = 16;
  private static final int FAILED_WRITES = 24;
  private static final int FAILED_SYNCS = 32;
  private static final int SHIFTED_READS = 40;
  private static final int BYTES = 48;

  private final Path library;
  private final Path file;
  private final MappedByteBuffer fields;

  private FaultControl(Path library, Path file, MappedByteBuffer fields) {
    this.library = library;
    this.file = file;
    this.fields = fields;
  }

  /// Compiles the library with the system's `cc`.
  ///
  /// @param folder for the library; must exist
  /// @return empty when there is no compiler, or it cannot compile the library
  static Optional<Path> compile(Path folder) throws IOException, InterruptedException {
    Path source = folder.resolve(SOURCE);
    try (InputStream text = FaultControl.class.getResourceAsStream(SOURCE)) {
      Files.write(source, Objects.requireNonNull(text, SOURCE).readAllBytes());
    }
    Path library = folder.resolve("faults.so");
    var compiler =
        new ProcessBuilder(
                "cc",
                "-shared",
                "-fPIC",
                "-O2",
                "-o",
                library.toString(),
                source.toString(),
                "-ldl")
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("cc.log").toFile());
    try {
      return Children.start(compiler).waitFor() == 0 ? Optional.of(library) : Optional.empty();
    } catch (IOException e) {
      // There is no such program.
      return Optional.empty();
    }
  }

  /// @param library what [#compile] returned
  /// @param file is created
  static FaultControl create(Path library, Path file) throws IOException {
    Files.write(file, new byte[BYTES]);
    try (var channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      MappedByteBuffer fields = channel.map(FileChannel.MapMode.READ_WRITE, 0, BYTES);
      fields.order(ByteOrder.nativeOrder());
      return new FaultControl(library, file, fields);
    }
  }

  /// Variables of the daemon's process.
  ///
  /// @param data below which writes and syncs may fail
  Map<String, String> environment(Path data) {
    try {
      return Map.of(
          "LD_PRELOAD", library.toString(),
          "BENCH_FAULTS", file.toString(),
          "BENCH_FAULTS_BELOW", data.toRealPath() + "/");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void failWrites(boolean fail) {
    put(WRITE_ERROR, fail ? EIO : 0);
  }

  void failSyncs(boolean fail) {
    put(SYNC_ERROR, fail ? EIO : 0);
  }

  /// Moves the clock on, or back.
  void shiftClock(Duration by) {
    put(SHIFT, get(SHIFT) + by.toSeconds());
  }

  long failedWrites() {
    return get(FAILED_WRITES);
  }

  long failedSyncs() {
    return get(FAILED_SYNCS);
  }

  /// How often the daemon has read a shifted clock.
  long shiftedReads() {
    return get(SHIFTED_READS);
  }

  private void put(int field, long value) {
    fields.putLong(field, value);
  }

  private long get(int field) {
    return fields.getLong(field);
  }
}
