package dev.agentmemory.engine.internal.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.EventReader;
import dev.agentmemory.store.EventSlice;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.testkit.store.HeapStore;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventKey;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// How the log is read; what its pages hold is shown over gRPC by `EventCallsTest`.
class LocalEventLogTest {

  private final HeapStore store = new HeapStore(ZoneOffset.UTC);

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void manyInOneMillisecond_areScannedTwiceAPage_notOnceAStep() {
    List<Event> same =
        IntStream.range(0, 500)
            .mapToObj(i -> TestEvents.message("s", TestEvents.START, "text " + i))
            .toList();
    store.commit(Commit.append(same));
    var reader = new CountingReader(store);
    var log = new LocalEventLog(reader);
    assertThat(log.between(Instant.EPOCH, Instant.MAX, PageRequest.of(400)).items()).hasSize(400);
    assertThat(reader.scans).isEqualTo(2);
  }

  /// Counts how often a range is read.
  private static final class CountingReader implements EventReader {

    private final EventReader store;
    private int scans;

    CountingReader(EventReader store) {
      this.store = store;
    }

    @Override
    public Optional<Event> event(EventId id) {
      return store.event(id);
    }

    @Override
    public List<Event> events(List<EventKey> keys) {
      return store.events(keys);
    }

    @Override
    public EventSlice events(List<EventKey> keys, long maxChars) {
      return store.events(keys, maxChars);
    }

    @Override
    public List<Event> events(Instant from, Instant to, Optional<EventKey> after, int limit) {
      scans++;
      return store.events(from, to, after, limit);
    }

    @Override
    public List<EventKey> eventKeys(Instant from, Instant to, Optional<EventKey> after, int limit) {
      scans++;
      return store.eventKeys(from, to, after, limit);
    }
  }
}
