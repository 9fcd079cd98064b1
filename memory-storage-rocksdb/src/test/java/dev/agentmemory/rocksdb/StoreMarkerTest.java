package dev.agentmemory.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The file that says that a directory is a store.
class StoreMarkerTest {

  private static final StoreMarker MARKER =
      new StoreMarker(
          RocksStore.FORMAT,
          "0123456789abcdef0123456789abcdef",
          3,
          Instant.ofEpochMilli(1_768_000_000_000L),
          ZoneId.of("Europe/Berlin"),
          "AAAAAAAAAAAAAAAAAAAAAA==",
          StoreMarker.State.READY);

  @TempDir private Path directory;

  @ParameterizedTest
  @EnumSource(StoreMarker.State.class)
  void write_isReadBack(StoreMarker.State state) throws IOException {
    StoreMarker marker = StoreMarker.of(MARKER.header(), 3, state);
    marker.write(directory);
    assertThat(StoreMarker.of(directory)).contains(marker);
    assertThat(marker.header()).isEqualTo(MARKER.header());
  }

  @Test
  void look_nothingThere_isAbsent() {
    assertThat(StoreMarker.look(directory)).isInstanceOf(StoreMarker.Look.Absent.class);
  }

  @Test
  void look_anyByteChanged_isNotBelieved() throws IOException {
    MARKER.write(directory);
    Path file = directory.resolve(StoreMarker.FILE);
    byte[] bytes = Files.readAllBytes(file);
    for (int i = 0; i < bytes.length - 1; i++) {
      byte[] changed = bytes.clone();
      changed[i] ^= 1;
      Files.write(file, changed);
      assertThat(StoreMarker.look(directory))
          .as("byte %d", i)
          .isInstanceOf(StoreMarker.Look.Damaged.class);
    }
  }

  @Test
  void look_fileOfAnotherProgram_saysSo() throws IOException {
    MARKER.write(directory);
    Path file = directory.resolve(StoreMarker.FILE);
    String text = Files.readString(file, StandardCharsets.UTF_8);
    Files.writeString(file, text.replace("agent-memory store", "agent-memory other"));
    assertThat(StoreMarker.look(directory))
        .isEqualTo(new StoreMarker.Look.Damaged("it was not written by this program"));
  }

  @Test
  void nextGeneration_isTheSameStore_restored() {
    StoreMarker next = MARKER.nextGeneration();
    assertThat(next.generation()).isEqualTo(4);
    assertThat(next.state()).isEqualTo(StoreMarker.State.RESTORED);
    assertThat(next.header()).isEqualTo(MARKER.header());
  }

  @Test
  void drawId_isNeverTheSame() {
    assertThat(StoreMarker.drawId()).matches("[0-9a-f]{32}").isNotEqualTo(StoreMarker.drawId());
  }
}
