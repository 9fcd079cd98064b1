package dev.agentmemory.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.config.SettingReader;
import dev.agentmemory.rocksdb.config.StorageConfig;
import dev.agentmemory.store.Checkpoint;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A file system that is full in earnest. The store lives in a child process, since only that one
/// sees the small disk.
@Tag("slow")
class DiskFullTest {

  @TempDir private Path directory;

  /// @param minFree 0: the engine runs into the end of the disk; else the store stops before
  @ParameterizedTest
  @ValueSource(longs = {0, 6 << 20})
  void ingest_diskFull_isRefusedAndGoesOnByItselfOnceThereIsRoom(long minFree) throws Exception {
    List<String> java = ChildJvm.command(Child.class, directory.toString(), Long.toString(minFree));
    Path output = Files.createTempFile("disk-full", ".txt");
    Process child =
        new ProcessBuilder(SmallDisk.with("40m", directory, java))
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    int exit = child.waitFor();
    assertThat(exit).as(Files.readString(output)).isZero();
  }

  /// Fills the disk, twice.
  static final class Child {

    private static final int BATCH = 16;
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final Path ballast;
    private final RocksStore store;
    private final List<Event> acknowledged = new ArrayList<>();
    private List<Event> refused = List.of();
    private int next;

    private Child(Path directory, RocksStore store) {
      this.ballast = directory.resolve("ballast");
      this.store = store;
    }

    static void main(String[] args) throws Exception {
      Path disk = Path.of(args[0]);
      StorageConfig config = keepingFree(args[1]);
      List<Event> acknowledged;
      try (RocksStore store =
          RocksStore.open(disk.resolve("store"), config, InstantSource.system())) {
        var child = new Child(disk, store);
        child.round();
        child.round();
        acknowledged = child.acknowledged;
      }
      try (RocksStore store =
          RocksStore.open(disk.resolve("store"), keepingFree("0"), InstantSource.system())) {
        checkAll(store, acknowledged);
      }
    }

    private static StorageConfig keepingFree(String bytes) {
      return StorageConfig.from(
          SettingReader.of(
              Map.of(
                  "storage.block_cache", "4MiB",
                  "storage.write_buffer", "4MiB",
                  "storage.min_free", bytes)));
    }

    private void round() throws Exception {
      fillDisk();
      fill();
      assertThat(store.problem())
          .hasValueSatisfying(why -> assertThat(why).contains("free some disk space"));
      checkReads();
      Files.delete(ballast);
      goOn();
      assertThat(store.problem()).isEmpty();
      checkAll(store, acknowledged);
    }

    /// Takes most of the room that is left; how much that is depends on what merging has done, and
    /// for a moment on what it does.
    private void fillDisk() throws IOException, InterruptedException {
      Instant deadline = Instant.now().plus(TIMEOUT);
      int mebibytes = 14;
      while (true) {
        try {
          Files.write(ballast, new byte[mebibytes << 20]);
          return;
        } catch (IOException e) {
          Files.deleteIfExists(ballast);
          assertThat(Instant.now()).as(e.getMessage()).isBefore(deadline);
          mebibytes = Math.max(4, mebibytes - 1);
          store.outbox().await(Long.MAX_VALUE - 1, Duration.ofMillis(50));
        }
      }
    }

    /// Appends until the disk is full.
    private void fill() {
      for (int i = 0; i < 10_000; i++) {
        refused = batch();
        try {
          store.commit(Commit.append(refused));
          acknowledged.addAll(refused);
        } catch (MemoryException e) {
          assertThat(e.code()).isEqualTo(ErrorCode.DISK_FULL);
          assertThat(e).hasMessageContaining("MiB are free");
          return;
        }
      }
      throw new AssertionError("the disk never got full");
    }

    private void checkReads() {
      assertThat(store.events().event(acknowledged.getFirst().id()))
          .contains(acknowledged.getFirst());
      assertThat(store.events().event(acknowledged.getLast().id()))
          .contains(acknowledged.getLast());
      assertThat(store.stats().events()).isEqualTo(acknowledged.size());
    }

    /// What was refused is sent again until it is taken, as a client would.
    private void goOn() throws InterruptedException {
      Instant deadline = Instant.now().plus(TIMEOUT);
      while (true) {
        try {
          List<Receipt> receipts = store.commit(Commit.append(refused));
          acknowledged.addAll(refused);
          assertThat(receipts).hasSameSizeAs(refused);
          return;
        } catch (MemoryException e) {
          assertThat(e.code()).isEqualTo(ErrorCode.DISK_FULL);
          assertThat(Instant.now()).isBefore(deadline);
          store.outbox().await(Long.MAX_VALUE - 1, Duration.ofMillis(50));
        }
      }
    }

    private static void checkAll(RocksStore store, List<Event> acknowledged) {
      for (Event event : acknowledged) {
        assertThat(store.events().event(event.id())).contains(event);
      }
      assertThat(store.stats().events()).isEqualTo(acknowledged.size());
      assertThat(store.stats().outboxHead()).isEqualTo(acknowledged.size());
      assertThat(store.verify(100)).isEmpty();
      store.commit(Commit.of(Checkpoint.at("job", 1)));
    }

    private List<Event> batch() {
      List<Event> events = new ArrayList<>();
      for (int i = 0; i < BATCH; i++) {
        var random = new byte[4096];
        new Random(next).nextBytes(random);
        String text = new String(random, StandardCharsets.ISO_8859_1).replaceAll("\\p{Cntrl}", "x");
        events.add(TestEvents.message("s", TestEvents.START.plusMillis(next++), text));
      }
      return events;
    }
  }
}
