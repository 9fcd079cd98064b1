package dev.agentmemory.bench.damage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.bench.damage.DamageTrial.Served;
import dev.agentmemory.bench.damage.DamageTrial.Start;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class DamageOutcomeTest {

  private static final DamageCase OF_DEFAULT =
      new DamageCase(
          1,
          new StoredFile(
              StoredFile.Kind.CURRENT,
              Path.of("db/default/rocksdb/CURRENT"),
              Optional.of("default"),
              16),
          new Damage.Removed());
  private static final Served WHOLE = new Served(0, Optional.empty(), false);
  private static final Served TOLD = new Served(5, Optional.of("damaged"), false);
  private static final Served SILENT = new Served(7, Optional.empty(), false);

  @Test
  void silent_lossInOneOfThreeStarts_countsIt() {
    var outcome =
        new DamageOutcome(
            OF_DEFAULT, List.of(start(WHOLE, WHOLE), start(TOLD, WHOLE), start(SILENT, WHOLE)));

    assertThat(outcome.silent()).isEqualTo(7);
    assertThat(outcome.missing()).isEqualTo(7);
    assertThat(outcome.report()).contains("damaged");
    assertThat(outcome.isGood()).isFalse();
    assertThat(outcome.story()).contains("7 missing, NOT REPORTED");
  }

  @Test
  void isGood_reportedLossOfTheDamagedWorkspace_is() {
    var outcome = new DamageOutcome(OF_DEFAULT, List.of(start(TOLD, WHOLE)));

    assertThat(outcome.isGood()).isTrue();
  }

  @Test
  void otherNotServed_reportedLossOfTheOtherWorkspace_is() {
    var outcome = new DamageOutcome(OF_DEFAULT, List.of(start(TOLD, TOLD)));

    assertThat(outcome.otherNotServed()).isTrue();
    assertThat(outcome.isGood()).isFalse();
  }

  @Test
  void changed_byARefusedStart_isNotGood() {
    Path file = Path.of("db/default/rocksdb/CURRENT");
    var refused =
        new Start(Optional.of("no"), Map.of("default", TOLD, "billing", WHOLE), List.of(file));
    var outcome = new DamageOutcome(OF_DEFAULT, List.of(refused, refused));

    assertThat(outcome.changed()).containsExactly(file);
    assertThat(outcome.isGood()).isFalse();
  }

  private static Start start(Served byDefault, Served other) {
    return new Start(Optional.empty(), Map.of("default", byDefault, "billing", other), List.of());
  }
}
