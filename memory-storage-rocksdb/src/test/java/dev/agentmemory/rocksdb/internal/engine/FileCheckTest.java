package dev.agentmemory.rocksdb.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.rocksdb.RocksStore;
import dev.agentmemory.rocksdb.StoreHome;
import dev.agentmemory.rocksdb.config.StorageConfig;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.DamagedRange;
import dev.agentmemory.store.Finding;
import dev.agentmemory.store.StoreFile;
import dev.agentmemory.testkit.TestEvents;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Files of a real store, with one bit flipped at many places.
class FileCheckTest {

  @TempDir private Path directory;

  @BeforeEach
  void fill() throws IOException {
    Path filled = directory.resolve("filled");
    try (RocksStore store = open(filled)) {
      store.commit(Commit.append(TestEvents.messages("first", 300)));
      store.compact();
      for (int i = 0; i < 8; i++) {
        store.commit(Commit.append(TestEvents.messages("s" + i, 100)));
      }
      // As a crash leaves it: rows are in the log only.
      copy(filled, directory.resolve("copy"));
      copy(filled.resolve("rocksdb"), tables());
    }
  }

  @Test
  void run_soundStore_findsNothing() {
    assertThat(FileCheck.run(directory.resolve("copy").resolve(StoreHome.TABLES))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {".sst", ".log"})
  @Tag("slow")
  void run_anyBitFlipped_isFound(String kind) throws IOException {
    Path file = largest(kind);
    int size = Math.toIntExact(Files.size(file));
    for (int part = 0; part < 40; part++) {
      // The last record of the log may be unfinished; it is tested below.
      int at = (int) ((long) size * part / 44);
      TableFiles.flipBit(file, at);
      assertThat(FileCheck.run(directory.resolve("copy").resolve(StoreHome.TABLES)))
          .as("bit at %d of %d", at, size)
          .extracting(Finding::key)
          .containsExactly(file.getFileName().toString());
      TableFiles.flipBit(file, at);
    }
  }

  @Test
  void run_manifestDamaged_isFound() throws IOException {
    Path manifest = largest("MANIFEST-");
    TableFiles.flipBit(manifest, 20);
    assertThat(FileCheck.run(directory.resolve("copy").resolve(StoreHome.TABLES)))
        .extracting(Finding::table)
        .containsExactly("manifest");
  }

  @Test
  void run_lastRecordOfTheLogCutShort_isNoDamage() throws IOException {
    Path log = largest(".log");
    truncate(log, Files.size(log) - 3);
    assertThat(FileCheck.run(directory.resolve("copy").resolve(StoreHome.TABLES))).isEmpty();
  }

  @Test
  void run_olderLogCutShort_isDamage() throws IOException {
    Path log = largest(".log");
    truncate(log, Files.size(log) - 3);
    Files.write(log.resolveSibling("999999.log"), new byte[0]);
    assertThat(FileCheck.run(directory.resolve("copy").resolve(StoreHome.TABLES)))
        .extracting(Finding::key)
        .containsExactly(log.getFileName().toString());
  }

  @Test
  void run_zerosBehindTheLog_areNoDamage() throws IOException {
    Files.write(largest(".log"), new byte[100_000], StandardOpenOption.APPEND);
    assertThat(FileCheck.run(directory.resolve("copy").resolve(StoreHome.TABLES))).isEmpty();
  }

  @Test
  void run_zerosInsideTheLog_areDamage() throws IOException {
    Path log = largest(".log");
    try (FileChannel file = FileChannel.open(log, StandardOpenOption.WRITE)) {
      file.write(ByteBuffer.allocate(40_000), 3000);
    }
    assertThat(FileCheck.run(directory.resolve("copy").resolve(StoreHome.TABLES))).hasSize(1);
  }

  @Test
  void run_currentDamaged_isFound() throws IOException {
    Path current = tables().resolve("CURRENT");
    TableFiles.flipBit(current, 10);
    assertThat(problems()).anyMatch(problem -> problem.contains("which does not exist"));
    TableFiles.flipBit(current, 0);
    assertThat(problems()).contains("does not name a manifest");
    Files.delete(current);
    assertThat(problems()).contains("is missing");
  }

  @Test
  void run_optionsAndIdentityDamaged_areFound() throws IOException {
    truncate(tables().resolve("IDENTITY"), 7);
    Path options = largest("OPTIONS-");
    truncate(options, 10);
    assertThat(FileCheck.run(directory.resolve("copy").resolve(StoreHome.TABLES)))
        .extracting(Finding::table)
        .contains("identity", "options");
  }

  @Test
  void check_openStore_countsWhatItReadsAndRemembersDamage() throws IOException {
    Path damaged = largest(".sst");
    TableFiles.damageBlock(damaged, "Filter");
    try (RocksStore store = open(directory.resolve("copy"))) {
      AtomicLong read = new AtomicLong();
      List<StoreFile> files = store.files().files();
      List<DamagedRange> found =
          files.stream()
              .map(file -> store.files().check(file, read::addAndGet))
              .flatMap(Optional::stream)
              .toList();
      assertThat(found)
          .singleElement()
          .satisfies(
              range -> assertThat(range.place()).isEqualTo(damaged.getFileName().toString()));
      assertThat(read.get()).isEqualTo(files.stream().mapToLong(StoreFile::bytes).sum());
      assertThat(store.damage().first()).isEqualTo(Optional.of(found.getFirst()));
    }
  }

  private List<String> problems() {
    return FileCheck.run(directory.resolve("copy").resolve(StoreHome.TABLES)).stream()
        .map(Finding::problem)
        .toList();
  }

  private Path tables() {
    return directory.resolve("copy").resolve("rocksdb");
  }

  private Path largest(String part) throws IOException {
    try (Stream<Path> files = Files.list(tables())) {
      return files
          .filter(file -> file.getFileName().toString().contains(part))
          .max((one, other) -> Long.compare(one.toFile().length(), other.toFile().length()))
          .orElseThrow();
    }
  }

  private static void truncate(Path path, long size) throws IOException {
    try (FileChannel file = FileChannel.open(path, StandardOpenOption.WRITE)) {
      file.truncate(size);
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    try (Stream<Path> files = Files.list(from).filter(Files::isRegularFile)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(file.getFileName()));
      }
    }
  }

  private static RocksStore open(Path place) {
    return RocksStore.open(place, StorageConfig.DEFAULT, InstantSource.system());
  }
}
