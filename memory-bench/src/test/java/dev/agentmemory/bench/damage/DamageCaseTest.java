package dev.agentmemory.bench.damage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DamageCaseTest {

  private static final Set<StoredFile.Kind> ALL = EnumSet.allOf(StoredFile.Kind.class);

  @TempDir Path data;

  @Test
  void files_ofADataDirectory_areKnownByTheirPlaces() throws IOException {
    write("token", 65);
    write("daemon.json", 70);
    write("daemon.lock", 7);
    write("logs/daemon.log", 10);
    write("index/default/1/_0.cfs", 9);
    write("db/default/LOCK", 9);
    write("db/default/store.json", 9);
    write("witness/default", 9);
    write("marker", 9);
    for (String name :
        List.of("000004.log", "000009.sst", "CURRENT", "IDENTITY", "MANIFEST-000005", "LOG")) {
      write("db/default/rocksdb/" + name, 9);
    }
    write("db/default/rocksdb/OPTIONS-000007", 9);

    List<StoredFile> files = StoredFile.of(data);

    assertThat(files)
        .extracting(StoredFile::kind)
        .containsExactlyInAnyOrder(
            StoredFile.Kind.TOKEN,
            StoredFile.Kind.DAEMON_JSON,
            StoredFile.Kind.INDEX,
            StoredFile.Kind.STORE_MARKER,
            StoredFile.Kind.WITNESS,
            StoredFile.Kind.DIRECTORY_FILE,
            StoredFile.Kind.LOG,
            StoredFile.Kind.TABLE,
            StoredFile.Kind.CURRENT,
            StoredFile.Kind.IDENTITY,
            StoredFile.Kind.MANIFEST,
            StoredFile.Kind.OPTIONS);
    assertThat(files)
        .filteredOn(file -> file.workspace().isEmpty())
        .extracting(StoredFile::kind)
        .containsExactlyInAnyOrder(
            StoredFile.Kind.TOKEN, StoredFile.Kind.DAEMON_JSON, StoredFile.Kind.DIRECTORY_FILE);
  }

  @Test
  void all_manyTables_takesTheLargestOfBothWorkspacesFirst() throws IOException {
    for (int number = 10; number < 20; number++) {
      write("db/default/rocksdb/0000" + number + ".sst", 100 + number);
      write("db/billing/rocksdb/0000" + number + ".sst", 200 + number);
    }

    List<DamageCase> cases = DamageCase.all(StoredFile.of(data), ALL, 3, 5);

    assertThat(cases)
        .extracting(one -> one.file().path().toString())
        .contains("db/default/rocksdb/000019.sst", "db/billing/rocksdb/000019.sst");
    assertThat(cases).hasSize(3 * (1 + Damage.CUTS + Damage.FLIPS));
    assertThat(cases).isEqualTo(DamageCase.all(StoredFile.of(data), ALL, 3, 5));
  }

  @Test
  void all_oneKind_hasTheNumbersThatItHasAmongAll() throws IOException {
    write("token", 65);
    write("db/default/rocksdb/000010.sst", 500);
    write("db/default/rocksdb/000004.log", 500);

    List<DamageCase> all = DamageCase.all(StoredFile.of(data), ALL, 3, 5);
    List<DamageCase> some =
        DamageCase.all(StoredFile.of(data), Set.of(StoredFile.Kind.TABLE), 3, 5);

    assertThat(some).isNotEmpty().isSubsetOf(all);
  }

  @Test
  void sample_fewOfMany_hasAllKinds() throws IOException {
    write("token", 65);
    write("db/default/rocksdb/000010.sst", 500);
    write("db/default/rocksdb/000004.log", 500);
    List<DamageCase> all = DamageCase.all(StoredFile.of(data), ALL, 3, 5);

    List<DamageCase> sample = DamageCase.sample(all, 3, 5);

    assertThat(sample)
        .extracting(one -> one.file().kind())
        .containsExactlyInAnyOrder(
            StoredFile.Kind.LOG, StoredFile.Kind.TABLE, StoredFile.Kind.TOKEN);
    assertThat(DamageCase.sample(all, Integer.MAX_VALUE, 5)).isEqualTo(all);
  }

  @Test
  void names_errorOfTheStore_isAReport() {
    var file =
        new StoredFile(
            StoredFile.Kind.LOG,
            Path.of("db/billing/rocksdb/000004.log"),
            Optional.of("billing"),
            9);
    var damaged = new DamageCase(1, file, new Damage.Removed());

    assertThat(DamageTexts.names("cannot open /data/db/billing/rocksdb", damaged)).isTrue();
    assertThat(DamageTexts.names("000004.log is damaged", damaged)).isTrue();
    assertThat(DamageTexts.names("java.lang.NullPointerException", damaged)).isFalse();
    assertThat(DamageTexts.tells("answer: CORRUPT_RECORD: a row cannot be read", damaged)).isTrue();
    assertThat(DamageTexts.tells("answer: INTERNAL: workspace billing", damaged)).isFalse();
    assertThat(DamageTexts.tells("status: job x has failed", damaged)).isFalse();
  }

  @Test
  void ofDoctor_checkThatIsWell_isNoReport() {
    assertThat(
            DamageTexts.ofDoctor(
                "{\"checks\":[{\"ok\":true,\"found\":\"nothing is damaged\"}],\"findings\":[]}",
                DamageTexts::tells))
        .isEmpty();
    assertThat(
            DamageTexts.ofDoctor(
                "{\"checks\":[{\"ok\":false,\"found\":\"rows are damaged\"}]}", DamageTexts::tells))
        .isPresent();
    assertThat(DamageTexts.ofDoctor("no JSON", DamageTexts::tells)).isEmpty();
  }

  private void write(String path, int size) throws IOException {
    Path file = data.resolve(path);
    Files.createDirectories(file.getParent());
    Files.write(file, new byte[size]);
  }
}
