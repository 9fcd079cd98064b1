package dev.agentmemory.bench.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TornLogTest {

  /// A record of 100 bytes, and some bytes of the next one.
  private static final int HEADER = 7;

  private static final int RECORD = HEADER + 100;

  @TempDir private Path data;

  private Path older;
  private Path newest;

  @BeforeEach
  void write() throws IOException {
    Path engine = Files.createDirectories(data.resolve("db/default/rocksdb"));
    older = Files.write(engine.resolve("000009.log"), new byte[500]);
    byte[] bytes = new byte[500];
    Arrays.fill(bytes, (byte) 1);
    bytes[4] = 100;
    bytes[5] = 0;
    newest = Files.write(engine.resolve("000012.log"), bytes);
  }

  @Test
  void startOfARecord_isLessThanTheRecord_behindTheNewestLog() throws IOException {
    byte[] before = Files.readAllBytes(newest);
    TornLog.leaveStartOfARecord(data, new SplittableRandom(3));
    byte[] after = Files.readAllBytes(newest);
    assertThat(Arrays.copyOf(after, before.length)).isEqualTo(before);
    byte[] added = Arrays.copyOfRange(after, before.length, after.length);
    assertThat(added.length).isBetween(1, RECORD - 1);
    assertThat(added).isEqualTo(Arrays.copyOf(before, added.length));
    assertThat(older).hasSize(500);
  }

  @Test
  void startOfARecord_thatDoesNotFitIntoItsBlock_isPartOfAHeader() throws IOException {
    byte[] bytes = Arrays.copyOf(Files.readAllBytes(newest), (32 << 10) - RECORD);
    Files.write(newest, bytes);
    TornLog.leaveStartOfARecord(data, new SplittableRandom(3));
    assertThat(Files.size(newest) - bytes.length).isBetween(1L, HEADER - 1L);
  }

  @Test
  void cut_shortensTheNewestLog() throws IOException {
    TornLog.cut(data, 64);
    assertThat(newest).hasSize(436);
    TornLog.cut(data, 1_000);
    assertThat(newest).isEmptyFile();
    assertThat(older).hasSize(500);
  }
}
