package dev.agentmemory.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.rocksdb.config.StorageConfig;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.record.StoredRecord;
import dev.agentmemory.testkit.Seeds;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Kills a process that commits, at a random moment, twice: whatever it said was safe is there.
@Tag("slow")
class CrashTest {

  private static final int GROUP = 7;

  @TempDir private Path directory;

  @Seeds(3)
  void kill_atRandomMoments_losesNothingAcknowledged(RandomGenerator random) throws Exception {
    Path store = directory.resolve("store");
    long acknowledged = 0;
    for (int life = 0; life < 2; life++) {
      acknowledged = Math.max(acknowledged, runAndKill(store, random.nextInt(1, 400)));
      checkAll(store, acknowledged);
    }
  }

  @Test
  void open_whileAnotherProcessHasIt_namesThatProcess() throws Exception {
    Path store = directory.resolve("store");
    Process child = child(store);
    try (BufferedReader said = child.inputReader()) {
      assertThat(said.readLine()).isNotNull();
      assertThatThrownBy(
              () -> RocksStore.open(store, StorageConfig.DEFAULT, InstantSource.system()))
          .isInstanceOfSatisfying(
              MemoryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CONFLICT))
          .hasMessageContaining("pid=" + child.pid());
    } finally {
      child.destroyForcibly().waitFor();
    }
  }

  private static void checkAll(Path directory, long acknowledged) {
    try (RocksStore store =
        RocksStore.open(directory, StorageConfig.DEFAULT, InstantSource.system())) {
      for (long n = 0; n < acknowledged; n++) {
        assertThat(store.events().event(Child.event(n).id())).contains(Child.event(n));
      }
      for (long first = 0; first < acknowledged; first += GROUP) {
        StoredRecord record = Child.record(first);
        assertThat(store.records().record(record.key())).contains(record.value());
      }
      assertThat(store.stats().events()).isGreaterThanOrEqualTo(acknowledged);
      assertThat(store.stats().outboxHead()).isEqualTo(store.stats().events());
      assertThat(store.verify(100)).isEmpty();
    }
  }

  /// @return how many events the child has said to be safe
  private static long runAndKill(Path directory, int lines) throws Exception {
    Process child = child(directory);
    try (BufferedReader said = child.inputReader()) {
      long last = 0;
      for (int i = 0; i < lines; i++) {
        last = Long.parseLong(said.readLine());
      }
      child.destroyForcibly().waitFor();
      return last;
    } finally {
      child.destroyForcibly().waitFor();
    }
  }

  private static Process child(Path directory) throws IOException {
    return new ProcessBuilder(ChildJvm.command(Child.class, directory.toString()))
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  /// The process that dies: appends event after event and says how many are safe.
  static final class Child {

    private Child() {}

    static Event event(long n) {
      return TestEvents.message(
          "session " + n % 3, TestEvents.START.plusMillis(n), "message number " + n);
    }

    static StoredRecord record(long first) {
      return new StoredRecord("memory:%010d".formatted(first), "what was said at " + first);
    }

    private static List<Change> changes(long first, List<Event> group) {
      var changes = new ArrayList<Change>();
      group.forEach(event -> changes.add(new Change.AppendEvent(event)));
      changes.add(new Change.PutRecord(record(first)));
      changes.add(new Change.PutRecord(new StoredRecord("meta:recall", "after " + first)));
      return changes;
    }

    static void main(String[] args) throws IOException {
      try (RocksStore store =
              RocksStore.open(Path.of(args[0]), StorageConfig.DEFAULT, InstantSource.system());
          var out =
              new PrintStream(
                  new FileOutputStream(FileDescriptor.out), true, StandardCharsets.US_ASCII)) {
        for (long first = 0; first < Long.MAX_VALUE - GROUP; first += GROUP) {
          List<Event> group = new ArrayList<>();
          for (int i = 0; i < GROUP; i++) {
            group.add(event(first + i));
          }
          store.commit(Commit.of(changes(first, group)));
          out.println(first + GROUP);
        }
      }
    }
  }
}
