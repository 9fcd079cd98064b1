package dev.agentmemory.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.daemon.config.DaemonConfig;
import dev.agentmemory.search.Embedder;
import dev.agentmemory.service.Searching;
import dev.agentmemory.testkit.HeapStore;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.toc.Crew;
import dev.agentmemory.toc.summary.ExtractiveSummarizer;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.search.Hit;
import dev.agentmemory.types.search.SearchRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The index of a store that is open, with everything that works on it by itself.
class SearchDeskTest {

  @TempDir private Path data;

  private final HeapStore store = new HeapStore(ZoneOffset.UTC);
  private Optional<OpenWorkspace> open = Optional.empty();

  private OpenWorkspace workspace() {
    return open.orElseThrow();
  }

  private Searching searching() {
    return workspace().services().searching();
  }

  private void open(Optional<Embedder> embedder) {
    open =
        Optional.of(
            new OpenWorkspace(
                InstantSource.system(),
                store,
                data.resolve("index"),
                new SharedParts(
                    DaemonConfig.defaults(data),
                    String::length,
                    new ExtractiveSummarizer(),
                    Optional.empty(),
                    Crew.ALONE,
                    new EmbeddingThread(System::nanoTime, embedder),
                    Instant.EPOCH),
                _ -> {}));
  }

  @AfterEach
  void close() {
    open.ifPresent(OpenWorkspace::close);
  }

  private void say(Event... events) {
    workspace().services().intake().accept(List.of(events)).join();
  }

  private List<Hit> find(String query) {
    return searching().search(SearchRequest.of(query, 20, TestEvents.START)).hits();
  }

  private static void await(String what, BooleanSupplier is) {
    long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (!is.getAsBoolean()) {
      assertThat(System.nanoTime()).as("time until " + what).isLessThan(deadline);
      LockSupport.parkNanos(10_000_000);
    }
  }

  @Test
  void eventsAndSummaries_areFoundByThemselves() {
    open(Optional.empty());
    say(
        TestEvents.message("s", TestEvents.START, "We decided to retry four times with jitter."),
        TestEvents.end("s", TestEvents.START.plusSeconds(60)));
    await("the event is found", () -> !find("jitter").isEmpty());
    await("the summaries are found", () -> find("jitter level:segment").size() == 1);
    await("the day is found", () -> !find("jitter level:day").isEmpty());
    assertThat(find("jitter").getFirst().path()).isNotEmpty();
    assertThat(searching().status().behind()).isZero();
    assertThat(workspace().problems()).isEmpty();
  }
}
