package dev.agentmemory.storage.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.entry;

import dev.agentmemory.rocksdb.RocksStore;
import dev.agentmemory.rocksdb.config.StorageConfig;
import dev.agentmemory.spi.Sleeper;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.Commit;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.testkit.TestToc;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.TocNode;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The check finds what is wrong and keeps out of the way meanwhile.
class IntegrityCheckTest {

  private static final int EVENTS = 200;

  @TempDir private Path directory;
  private final AtomicLong nanos = new AtomicLong();
  private final List<Duration> pauses = new ArrayList<>();
  private RocksStore store;

  @BeforeEach
  void open() {
    store = RocksStore.open(directory.resolve("db"), StorageConfig.DEFAULT, InstantSource.system());
    store.commit(Commit.append(TestEvents.messages("s", EVENTS)));
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void run_soundStore_findsNothing() {
    assertThat(check(pauses::add).run()).containsOnly(entry("findings", "0"));
  }

  @Test
  void run_danglingLinks_areCountedAndTheFirstOnesTold() {
    for (int year = 2001; year <= 2005; year++) {
      store.commit(Commit.of(new Change.PutNode(lonely(year))));
    }
    Map<String, String> did = check(pauses::add).run();
    assertThat(Integer.parseInt(did.get("findings"))).isGreaterThanOrEqualTo(5);
    assertThat(did).containsKeys("finding_1", "finding_2", "finding_3").hasSize(4);
    assertThat(did.get("finding_1")).contains("2001");
  }

  @Test
  void run_whateverItTakes_restsThreeTimesAsLongAsItWorks() {
    check(pauses::add).run();
    assertThat(pauses).hasSizeGreaterThan(EVENTS / 20).containsOnly(Duration.ofMillis(30));
  }

  @Test
  void run_interruptedWhileItRests_ends() {
    assertThatExceptionOfType(MemoryException.class)
        .isThrownBy(() ->
            check(
                    time -> {
                      throw new InterruptedException();
                    })
                .run())
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.CLOSED));
    assertThat(Thread.interrupted()).isTrue();
  }

  private static TocNode lonely(int year) {
    return TestToc.node(NodeId.year(year), 1, List.of(NodeId.month(YearMonth.of(year, 1))));
  }

  /// A millisecond passes with every look at the time.
  private IntegrityCheck check(Sleeper sleeper) {
    return new IntegrityCheck(() -> nanos.addAndGet(1_000_000), sleeper, store);
  }
}
