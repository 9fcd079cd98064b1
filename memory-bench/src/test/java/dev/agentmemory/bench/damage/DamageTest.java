package dev.agentmemory.bench.damage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DamageTest {

  @TempDir Path folder;

  @Test
  void all_ofAFile_isRemovedCutAndFlippedAllOverIt() {
    List<Damage> all = Damage.all(1_200, new SplittableRandom(1));

    assertThat(all).hasSize(1 + Damage.CUTS + Damage.FLIPS).startsWith(new Damage.Removed());
    assertThat(all).filteredOn(Damage.Cut.class::isInstance).contains(new Damage.Cut(0));
    List<Long> places =
        all.stream()
            .filter(Damage.Flipped.class::isInstance)
            .map(damage -> ((Damage.Flipped) damage).at())
            .toList();
    for (int twelfth = 0; twelfth < Damage.FLIPS; twelfth++) {
      assertThat(places.get(twelfth)).isBetween(100L * twelfth, 100L * twelfth + 99);
    }
  }

  @Test
  void all_sameSeed_isTheSame() {
    assertThat(Damage.all(77, new SplittableRandom(4)))
        .isEqualTo(Damage.all(77, new SplittableRandom(4)));
  }

  @Test
  void all_emptyFile_canOnlyBeRemoved() {
    assertThat(Damage.all(0, new SplittableRandom(1))).containsExactly(new Damage.Removed());
  }

  @Test
  void all_oneByte_staysInsideTheFile() throws IOException {
    for (Damage damage : Damage.all(1, new SplittableRandom(1))) {
      Path file = Files.write(folder.resolve("one"), new byte[] {5});
      damage.apply(file);

      assertThat(Files.exists(file) && Files.readAllBytes(file).length == 1)
          .isEqualTo(damage instanceof Damage.Flipped);
    }
  }

  @Test
  void apply_flip_changesThatBitOnly() throws IOException {
    Path file = Files.write(folder.resolve("file"), new byte[] {1, 2, 3});

    new Damage.Flipped(1, 7).apply(file);

    assertThat(Files.readAllBytes(file)).containsExactly(1, (byte) 0x82, 3);
  }

  @Test
  void apply_cut_leavesTheBeginning() throws IOException {
    Path file = Files.write(folder.resolve("file"), new byte[] {1, 2, 3});

    new Damage.Cut(2).apply(file);

    assertThat(Files.readAllBytes(file)).containsExactly(1, 2);
  }
}
