package dev.agentmemory.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.api.recall.Memories;
import dev.agentmemory.api.recall.MemoryAnswer;
import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.api.recall.MemoryFilter;
import dev.agentmemory.api.recall.MemoryPage;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.MemorySearch;
import dev.agentmemory.api.upkeep.OrientationDocument;
import dev.agentmemory.api.upkeep.OrientationRequest;
import dev.agentmemory.rocksdb.RocksStore;
import dev.agentmemory.rocksdb.StoreLocation;
import dev.agentmemory.rocksdb.config.StorageConfig;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.record.StoredRecord;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A memory of a packaged daemon that has changed on disk: it is passed over, counted and told.
class MemoryDamageIT {

  private static final String[] SETTINGS = {"search.embeddings=none"};

  @TempDir private Path data;

  @Test
  void memoryThatHasChangedOnDisk_isSkippedCountedAndTold_othersAreServed() throws Exception {
    MemoryId damaged;
    MemoryId sound;
    try (PackagedDaemon daemon = PackagedDaemon.start(data, SETTINGS)) {
      Memories memories = daemon.client.recall().memories();
      damaged = memories.remember(MemoryDraft.of("The retry budget is ten percent.")).id();
      sound = memories.remember(MemoryDraft.of("The retry delay has full jitter.")).id();
    }
    damage(damaged);

    PackagedDaemon.Run doctor = PackagedDaemon.run(data, "doctor", "--deep");
    assertThat(doctor.output()).contains(damaged.value()).doesNotContain("\tat ", sound.value());
    assertThat(doctor.exit()).as(doctor.output()).isEqualTo(1);

    try (PackagedDaemon daemon = PackagedDaemon.start(data, SETTINGS)) {
      Memories memories = daemon.client.recall().memories();
      MemoryPage page = memories.list(MemoryFilter.NONE, PageRequest.first());
      assertThat(page.page().items()).extracting(MemoryRecord::id).containsExactly(sound);
      assertThat(page.skipped()).isEqualTo(1);
      MemoryAnswer answer = memories.search(MemorySearch.of("retry").explained());
      assertThat(answer.hits()).extracting(hit -> hit.memory().id()).containsExactly(sound);
      assertThat(answer.skipped()).isEqualTo(1);
      OrientationDocument document =
          daemon.client.recall().orient(OrientationRequest.of("retry").withBudgetTokens(500));
      assertThat(document.markdown()).contains("jitter").doesNotContain("ten percent");
      assertThat(document.skipped()).isEqualTo(1);
      MemoryException failure =
          catchThrowableOfType(MemoryException.class, () -> memories.get(damaged));
      assertThat(failure.code()).isEqualTo(ErrorCode.CORRUPT_RECORD);
      assertThat(memories.stats().corrupt()).isEqualTo(1);
      assertThat(memories.stats().total()).isEqualTo(1);
      assertThat(memories.rebuildIndex()).isEqualTo(1);
      assertThat(daemon.client.serving()).isTrue();
    }
  }

  @Test
  void indexOfWordsThatIsDamaged_isBuiltAgain() throws Exception {
    MemoryId id;
    try (PackagedDaemon daemon = PackagedDaemon.start(data, SETTINGS)) {
      Memories memories = daemon.client.recall().memories();
      id = memories.remember(MemoryDraft.of("The retry budget is ten percent.")).id();
      assertThat(memories.search(MemorySearch.of("budget")).hits()).hasSize(1);
    }
    List<Path> damaged = indexFiles();
    assertThat(damaged).isNotEmpty();
    for (Path file : damaged) {
      Files.writeString(file, "damaged");
    }
    try (PackagedDaemon daemon = PackagedDaemon.start(data, SETTINGS)) {
      Memories memories = daemon.client.recall().memories();
      MemoryAnswer answer = memories.search(MemorySearch.of("budget"));
      assertThat(answer.hits()).extracting(hit -> hit.memory().id()).containsExactly(id);
      assertThat(answer.skipped()).isZero();
    }
    assertThat(PackagedDaemon.run(data, "doctor", "--deep").exit()).isZero();
  }

  private List<Path> indexFiles() throws IOException {
    try (Stream<Path> files = Files.walk(data)) {
      return files
          .filter(file -> Files.isRegularFile(file) && !file.endsWith("write.lock"))
          .filter(file -> String.valueOf(file.getParent()).contains("/memories"))
          .toList();
    }
  }

  /// What a power failure leaves of a file that was being written.
  @Test
  void exportThatIsCutInItsLastLine_losesThatMemoryOnly() throws Exception {
    Path file = data.resolve("cut.jsonl");
    try (PackagedDaemon daemon = PackagedDaemon.start(data, SETTINGS)) {
      Memories memories = daemon.client.recall().memories();
      var _ = memories.remember(MemoryDraft.of("The retry budget is ten percent."));
      var _ = memories.remember(MemoryDraft.of("The retry delay has full jitter."));
      PackagedDaemon.Run run =
          PackagedDaemon.run(data, "memories", "export", "--output", file.toString());
      assertThat(run.exit()).as(run.output()).isZero();
    }
    String whole = Files.readString(file);
    Files.writeString(file, whole.substring(0, whole.length() - 40));
    Path other = data.resolve("other");
    try (PackagedDaemon daemon = PackagedDaemon.start(other, SETTINGS)) {
      PackagedDaemon.Run run = PackagedDaemon.run(other, "memories", "import", file.toString());
      assertThat(run.exit()).as(run.output()).isEqualTo(4);
      assertThat(run.output()).contains("is not one JSON object");
      MemoryPage page =
          daemon.client.recall().memories().list(MemoryFilter.NONE, PageRequest.first());
      assertThat(page.page().items()).hasSize(1);
    }
  }

  /// Replaces the text of a memory in its row, and leaves its checksum.
  private void damage(MemoryId id) {
    StoreLocation location = StoreLocation.within(data, data.resolve("db/default"));
    try (RocksStore store =
        RocksStore.open(location, StorageConfig.DEFAULT, InstantSource.system())) {
      String key = "memory:" + id.value();
      String row = store.records().record(key).orElseThrow();
      String changed = row.replace("ten percent", "one percent");
      assertThat(changed).isNotEqualTo(row);
      store.commit(Commit.of(new Change.PutRecord(new StoredRecord(key, changed))));
    }
  }
}
