package dev.agentmemory.rocksdb.internal.home;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.storage.codec.Counters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A witness never says more than what is on disk.
final class WitnessSyncTest {

  private static final String STORE = "00112233445566778899aabbccddeeff";

  @TempDir private Path data;
  private Path manifest = Path.of("");
  private Path file = Path.of("");

  @BeforeEach
  void manifest() throws IOException {
    manifest = Files.writeString(data.resolve("MANIFEST-000005"), "ten bytes.");
    Files.writeString(data.resolve("CURRENT"), "MANIFEST-000005\n");
    file = data.resolve("witness").resolve("default");
  }

  @Test
  void write_manifestHasGrown_syncsItBeforeTheWitnessSaysSo() throws IOException {
    List<Long> saidBefore = new ArrayList<>();
    WitnessKeeper keeper =
        keeper(synced -> {
          assertThat(synced).isEqualTo(manifest);
          saidBefore.add(said());
        });
    keeper.write(counters(1));
    assertThat(said()).isEqualTo(10);
    keeper.write(counters(2));
    assertThat(saidBefore).containsExactly(0L);
    Files.writeString(manifest, "five.", StandardOpenOption.APPEND);
    keeper.write(counters(3));
    assertThat(saidBefore).containsExactly(0L, 10L);
    assertThat(said()).isEqualTo(15);
    keeper.close();
  }

  @Test
  void write_manifestCannotBeSynced_isToldAndTriedAgain() throws IOException {
    List<Path> tried = new ArrayList<>();
    WitnessKeeper keeper =
        keeper(synced -> {
          tried.add(synced);
          if (tried.size() == 1) {
            throw new IOException("the disk refuses");
          }
        });
    keeper.write(counters(1));
    assertThat(keeper.problem()).hasValueSatisfying(why -> assertThat(why).contains("refuses"));
    assertThat(file).doesNotExist();
    keeper.write(counters(1));
    assertThat(keeper.problem()).isEmpty();
    assertThat(said()).isEqualTo(10);
    keeper.close();
  }

  private static Counters counters(long outboxHead) {
    return new Counters(9, outboxHead, 1, 0, 0, 0, 0);
  }

  private WitnessKeeper keeper(WitnessKeeper.Syncing syncing) {
    return new WitnessKeeper(Optional.of(file), STORE, 1, data, syncing);
  }

  /// The length of the manifest in the witness, 0 when there is none.
  private long said() throws IOException {
    return Witness.look(file).believed().map(Witness.Mark::manifestBytes).orElse(0L);
  }
}
