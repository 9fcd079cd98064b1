package dev.agentmemory.rocksdb.internal.home;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.storage.codec.Counters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// When the witness is written, and what becomes of it when it cannot be.
class WitnessKeeperTest {

  private static final long INTERVAL = 400;

  @TempDir private Path data;
  private Path tables = Path.of("");
  private Path file = Path.of("");

  @BeforeEach
  void fill() throws IOException {
    tables = Files.createDirectory(data.resolve("rocksdb"));
    file = data.resolve("witness").resolve("default");
    Files.writeString(tables.resolve("CURRENT"), "MANIFEST-000005\n");
    Files.writeString(tables.resolve("MANIFEST-000005"), "12345");
  }

  private WitnessKeeper keeper() {
    return WitnessKeeper.of(Optional.of(file), "id", 3, tables);
  }

  private static Counters counters(long outboxHead) {
    return new Counters(9, outboxHead, 1, 0, 0, 1, 2);
  }

  private long seen() throws IOException {
    return Witness.look(file).believed().map(Witness.Mark::sequence).orElse(-1L);
  }

  @Test
  void write_saysStoreGenerationSequenceAndManifest() throws IOException {
    WitnessKeeper keeper = keeper();
    keeper.write(counters(7));
    keeper.close();
    assertThat(Witness.look(file).believed())
        .contains(new Witness.Mark("id", 3, 7, 2, "MANIFEST-000005", 5));
    assertThat(keeper.problem()).isEmpty();
  }

  @Test
  void write_folderWithoutManifest_saysSo() throws IOException {
    Files.delete(tables.resolve("CURRENT"));
    WitnessKeeper keeper = keeper();
    keeper.write(counters(7));
    keeper.close();
    assertThat(Witness.look(file).believed()).contains(new Witness.Mark("id", 3, 7, 2, "", 0));
  }

  @Test
  void look_writesOnceAnInterval_alsoWhenTheClockWasSetBack() throws IOException {
    WitnessKeeper keeper = keeper();
    keeper.look(1000, counters(1));
    assertThat(seen()).isEqualTo(1);
    keeper.look(1000 + INTERVAL - 1, counters(2));
    assertThat(seen()).isEqualTo(1);
    keeper.look(1000 + INTERVAL, counters(3));
    assertThat(seen()).isEqualTo(3);
    keeper.look(1000 + INTERVAL + 1, counters(4));
    assertThat(seen()).isEqualTo(3);
    keeper.look(0, counters(5));
    assertThat(seen()).isEqualTo(5);
    keeper.close();
  }

  /// A store that only has records, such as that of the account, has no outbox entries.
  @Test
  void write_onlyRecordsChanged_isWritten() throws IOException {
    WitnessKeeper keeper = keeper();
    keeper.write(Counters.NONE);
    keeper.write(Counters.NONE.plusRecordChange(1));
    assertThat(Witness.look(file).believed().map(Witness.Mark::recordChanges)).contains(1L);
    keeper.write(Counters.NONE.plusRecordChange(1).plusRecordChange(-1));
    assertThat(Witness.look(file).believed().map(Witness.Mark::recordChanges)).contains(2L);
    keeper.close();
  }

  @Test
  void write_fails_isToldAndTriedAgain() throws IOException {
    Files.writeString(data.resolve("witness"), "a file where the folder should be");
    WitnessKeeper keeper = keeper();
    keeper.write(counters(7));
    assertThat(keeper.problem().orElseThrow()).contains(file.toString(), "cannot be written");
    Files.delete(data.resolve("witness"));
    keeper.write(counters(8));
    assertThat(keeper.problem()).isEmpty();
    assertThat(seen()).isEqualTo(8);
    keeper.close();
  }

  @Test
  void write_storeWithoutAWitness_writesNothing() {
    WitnessKeeper keeper = WitnessKeeper.of(Optional.empty(), "id", 3, tables);
    keeper.write(counters(7));
    keeper.close();
    assertThat(keeper.problem()).isEmpty();
    assertThat(data.resolve("witness")).doesNotExist();
  }
}
