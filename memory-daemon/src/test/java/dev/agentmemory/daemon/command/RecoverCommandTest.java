package dev.agentmemory.daemon.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.cli.terminal.ExitCodes;
import dev.agentmemory.client.DaemonLock;
import dev.agentmemory.daemon.Daemon;
import dev.agentmemory.daemon.config.ConfigLoader;
import dev.agentmemory.engine.config.EngineConfig;
import dev.agentmemory.engine.offline.DataRecovery;
import dev.agentmemory.rocksdb.RocksStore;
import dev.agentmemory.rocksdb.StoreDirectory;
import dev.agentmemory.rocksdb.StoreLocation;
import dev.agentmemory.rocksdb.config.StorageConfig;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.record.StoredRecord;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A damaged store is checked, saved and replaced by commands that need no daemon.
@Tag("slow")
final class RecoverCommandTest {

  private static final int EVENTS = 600;
  private static final String NO_USER_CONFIG = "--no-user-config";

  @TempDir private Path folder;
  private Cli cli = new Cli(Path.of(""));

  @BeforeEach
  void fill() throws IOException {
    cli = new Cli(folder);
    String lines =
        IntStream.range(0, EVENTS)
            .mapToObj(i ->
                """
                {"session_id":"s%d","timestamp":"2026-01-30T12:%02d:%02dZ","text":"word %d of many"}
                """
                    .formatted(i / 100, i / 60, i % 60, i * i))
            .collect(Collectors.joining());
    try (Daemon _ = cli.daemon("search.embeddings=none")) {
      assertThat(cli.run("ingest", cli.write(lines).toString()).code()).isEqualTo(ExitCodes.OK);
    }
  }

  @Test
  void doctorDeep_soundStores_isWell() {
    Cli.Said said = cli.run("doctor", "--deep", NO_USER_CONFIG);
    assertThat(said.out()).contains("all files and records are intact");
    assertThat(said.code()).isEqualTo(ExitCodes.OK);
  }

  @Test
  void doctorFix_currentRemoved_replacesTheStoreWithoutALoss() throws IOException {
    Files.delete(tables().resolve("CURRENT"));
    Cli.Said found = cli.run("doctor", "--deep", NO_USER_CONFIG);
    assertThat(found.out()).contains("CURRENT", "doctor --deep --fix");
    assertThat(found.code()).isEqualTo(ExitCodes.FAILED);

    Cli.Said fixed = cli.run("doctor", "--deep", "--fix", NO_USER_CONFIG);
    assertThat(fixed.out()).contains("replaced, with 600 events");
    assertThat(fixed.code()).isEqualTo(ExitCodes.OK);
    try (Stream<Path> kept = Files.list(cli.data().resolve("damaged"))) {
      assertThat(kept).hasSize(1);
    }
    assertServes(EVENTS);
  }

  /// Such a file still opens, and a search would answer from it.
  @Test
  void doctorFix_indexDamaged_deletesItAndKeepsTheStore() throws IOException {
    try (var file = new RandomAccessFile(largest(cli.data().resolve("index"), "").toFile(), "rw")) {
      file.seek(file.length() / 2);
      int there = file.read();
      file.seek(file.length() / 2);
      file.write(there ^ 1);
    }
    Cli.Said found = cli.run("doctor", "--deep", NO_USER_CONFIG);
    assertThat(found.out().replaceAll("\\s+", " "))
        .contains("index default/1", "does not match its checksum", "doctor --deep --fix");
    assertThat(found.code()).isEqualTo(ExitCodes.FAILED);

    Cli.Said fixed = cli.run("doctor", "--deep", "--fix", NO_USER_CONFIG);
    assertThat(fixed.out()).contains("search index was deleted");
    assertThat(fixed.code()).isEqualTo(ExitCodes.OK);
    assertThat(cli.data().resolve("damaged")).doesNotExist();
    assertThat(cli.run("recover", "--json", NO_USER_CONFIG).out())
        .contains("\"dropped_indexes\" : [ ]");
    assertServes(EVENTS);
  }

  @Test
  void doctorFix_withoutDeep_isAUsageError() {
    assertThat(cli.run("doctor", "--fix").code()).isEqualTo(ExitCodes.USAGE);
  }

  @Test
  void recover_eventsLost_wantsThatToBeAccepted() throws IOException {
    damageLargestTable();
    assertThat(cli.run("doctor", "--deep", "--fix", NO_USER_CONFIG).out()).contains("not replaced");

    Cli.Said refused = cli.run("recover", NO_USER_CONFIG);
    assertThat(refused.out()).contains("missing", "session s", "--accept-loss");
    assertThat(refused.code()).isEqualTo(ExitCodes.FAILED);
    assertThat(cli.data().resolve("damaged")).doesNotExist();

    Cli.Said accepted = cli.run("recover", "--accept-loss", NO_USER_CONFIG);
    assertThat(accepted.code()).isEqualTo(ExitCodes.FAILED);
    assertThat(cli.run("doctor", "--deep", NO_USER_CONFIG).code()).isEqualTo(ExitCodes.OK);
  }

  @Test
  void recover_memoriesLost_wantsThatToBeAccepted() throws IOException {
    putRecords(300);
    damage(tableOf("records"));
    Cli.Said found = cli.run("doctor", "--deep", "--fix", NO_USER_CONFIG);
    assertThat(found.out()).contains("not replaced");
    assertThat(found.code()).isEqualTo(ExitCodes.FAILED);

    Cli.Said refused = cli.run("recover", NO_USER_CONFIG);
    assertThat(refused.out().replaceAll("\\s+", " "))
        .contains("600 events recovered, none missing")
        .containsPattern("\\d+ rows of memories recovered, [1-9]\\d* missing")
        .contains("--accept-loss");
    assertThat(refused.code()).isEqualTo(ExitCodes.FAILED);

    Cli.Said accepted = cli.run("recover", "--accept-loss", "--json", NO_USER_CONFIG);
    assertThat(accepted.out())
        .containsPattern("\"records\" : [1-9]")
        .containsPattern("\"missing_records\" : [1-9]")
        .contains("\"missing\" : 0", "\"missing_record_changes\" : 0");
    assertThat(cli.run("doctor", "--deep", NO_USER_CONFIG).code()).isEqualTo(ExitCodes.OK);
  }

  @Test
  void recover_memoriesIntact_bringsThemBack() throws IOException {
    putRecords(300);
    Files.delete(tables().resolve("CURRENT"));
    Cli.Said said = cli.run("recover", NO_USER_CONFIG);
    assertThat(said.out().replaceAll("\\s+", " "))
        .contains("300 rows of memories recovered, none missing");
    assertThat(said.code()).isEqualTo(ExitCodes.OK);
    try (Daemon _ = cli.daemon("search.embeddings=none")) {
      assertThat(cli.run("usage", "--json").out()).contains("\"records\" : 300");
    }
  }

  private void putRecords(int count) {
    try (RocksStore opened =
        RocksStore.open(
            StoreLocation.within(cli.data(), store()),
            StorageConfig.DEFAULT,
            InstantSource.system())) {
      opened.commit(
          Commit.of(
              IntStream.range(0, count)
                  .mapToObj(i ->
                      new StoredRecord("row:" + i, "statement %d ".formatted(i * i).repeat(30)))
                  .<Change>map(Change.PutRecord::new)
                  .toList()));
    }
  }

  @Test
  void doctorDeep_moreFindingsThanAreShown_saysHowMany() throws IOException {
    damageLargestTable();
    assertThat(cli.run("doctor", "--deep", NO_USER_CONFIG).out())
        .containsPattern("and (at least )?[1-9]\\d* more\n");
    assertThat(cli.run("doctor", "--deep", "--json", NO_USER_CONFIG).out())
        .containsPattern("\"more_findings\" : [1-9]");
  }

  @Test
  void recover_moreLossesThanAreListed_saysHowMany() throws IOException {
    String lines =
        IntStream.range(0, 1_100)
            .mapToObj(i ->
                """
                {"session_id":"more%d","timestamp":"2026-01-31T12:00:00Z","text":"%s"}
                """
                    .formatted(i, "word " + i + " of very many; ".repeat(20)))
            .collect(Collectors.joining());
    try (Daemon _ = cli.daemon("search.embeddings=none")) {
      assertThat(cli.run("ingest", cli.write(lines).toString()).code()).isEqualTo(ExitCodes.OK);
    }
    deleteEvents();
    assertThat(cli.run("recover", NO_USER_CONFIG).out())
        .containsPattern("and [1-9]\\d* more sessions");
    assertThat(cli.run("recover", "--json", NO_USER_CONFIG).out())
        .containsPattern("\"more_sessions\" : [1-9]")
        .contains("\"more_sequences\" : 0");
  }

  @Test
  void recover_toANewDirectory_leavesTheOldOneAsItIs() throws IOException {
    Files.delete(tables().resolve("CURRENT"));
    Path target = folder.resolve("saved");
    Cli.Said said =
        cli.run("recover", cli.data().toString(), "--to", target.toString(), NO_USER_CONFIG);
    assertThat(said.out()).contains("600 events recovered, none missing");
    assertThat(said.code()).isEqualTo(ExitCodes.OK);
    assertThat(tables().resolve("CURRENT")).doesNotExist();
    assertThat(cli.run("recover", "--to", target.toString(), NO_USER_CONFIG).err())
        .contains("already exists");
    Files.move(cli.data(), folder.resolve("old"));
    Files.move(target, cli.data());
    assertServes(EVENTS);
  }

  @Test
  void recover_lossRefused_leavesNothingAtTheNewDirectory() throws IOException {
    damageLargestTable();
    Path target = folder.resolve("saved");
    Cli.Said refused = cli.run("recover", "--to", target.toString(), NO_USER_CONFIG);
    assertThat(refused.out()).contains("--accept-loss");
    assertThat(target).doesNotExist();

    Cli.Said accepted =
        cli.run("recover", "--accept-loss", "--to", target.toString(), NO_USER_CONFIG);
    assertThat(accepted.err()).isEmpty();
    assertThat(target.resolve("db").resolve("default")).isDirectory();
  }

  @Test
  void recover_intoTheOldDirectory_isAUsageError() {
    Path inside = cli.data().resolve("saved");
    assertThat(cli.run("recover", "--to", inside.toString(), NO_USER_CONFIG).code())
        .isEqualTo(ExitCodes.USAGE);
    assertThat(inside).doesNotExist();
  }

  @Test
  void recover_inPlace_keepsDaemonsOut() throws IOException {
    Files.delete(tables().resolve("CURRENT"));
    EngineConfig config = ConfigLoader.load(cli.data(), List.of()).engine();
    List<Optional<DaemonLock>> holders = new ArrayList<>();
    new DataRecovery(
            InstantSource.system(), config, /* acceptLoss= */ false, _ -> holders.add(holder()))
        .inPlace();
    assertThat(holders).isNotEmpty().allMatch(Optional::isPresent);
    assertThat(holder()).isEmpty();
  }

  private Optional<DaemonLock> holder() {
    try {
      return DaemonLock.holder(cli.data());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void doctorDeep_directoryOfAStoreRemoved_isAFinding() {
    StoreDirectory.delete(store());
    Cli.Said said = cli.run("doctor", "--deep", NO_USER_CONFIG);
    assertThat(said.out().replaceAll("\\s+", " ")).contains("default is missing");
    assertThat(said.code()).isEqualTo(ExitCodes.FAILED);
    assertThat(store()).doesNotExist();

    Cli.Said recovered = cli.run("recover", NO_USER_CONFIG);
    assertThat(recovered.out()).contains("not recovered");
    assertThat(recovered.code()).isEqualTo(ExitCodes.FAILED);
  }

  @Test
  void recover_nothingWrong_saysSo() {
    Cli.Said said = cli.run("recover", NO_USER_CONFIG);
    assertThat(said.out()).contains("all stores are intact");
    assertThat(said.code()).isEqualTo(ExitCodes.OK);
  }

  private void assertServes(int events) {
    try (Daemon _ = cli.daemon("search.embeddings=none")) {
      assertThat(cli.run("usage", "--json").out()).contains("\"events\" : " + events);
    }
  }

  private Path store() {
    return cli.data().resolve("db").resolve("default");
  }

  private Path tables() {
    return store().resolve("rocksdb");
  }

  private void damageLargestTable() throws IOException {
    damage(largest(tables(), ".sst"));
  }

  private static void damage(Path table) throws IOException {
    try (var file = new RandomAccessFile(table.toFile(), "rw")) {
      file.seek(40);
      file.write(new byte[64]);
    }
  }

  private void deleteEvents() throws IOException {
    for (Path file : tablesOf("events")) {
      Files.delete(file);
    }
  }

  private Path tableOf(String table) throws IOException {
    return tablesOf(table).stream()
        .max(Comparator.comparingLong(file -> file.toFile().length()))
        .orElseThrow();
  }

  /// A table file says in its properties, which are not compressed, whose rows it holds.
  private List<Path> tablesOf(String table) throws IOException {
    var found = new ArrayList<Path>();
    try (Stream<Path> files = Files.list(tables())) {
      for (Path file : files.filter(file -> file.toString().endsWith(".sst")).toList()) {
        if (Files.readString(file, StandardCharsets.ISO_8859_1).contains("name" + table)) {
          found.add(file);
        }
      }
    }
    return found;
  }

  private static Path largest(Path folder, String ending) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> file.toString().endsWith(ending))
          .max(Comparator.comparingLong(file -> file.toFile().length()))
          .orElseThrow();
    }
  }
}
