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
import dev.agentmemory.storage.RocksStore;
import dev.agentmemory.storage.StoreLocation;
import dev.agentmemory.storage.config.StorageConfig;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.record.StoredRecord;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import java.nio.file.Path;
import java.time.InstantSource;
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
          daemon
              .client
              .recall()
              .orient(new OrientationRequest("retry", MemorySearch.Viewer.WORKSPACE, 500));
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
