package dev.agentmemory.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.daemon.config.DaemonConfig;
import dev.agentmemory.testkit.HeapStore;
import dev.agentmemory.toc.Crew;
import dev.agentmemory.toc.summary.ExtractiveSummarizer;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What works on a store by itself, and what it says when it cannot.
class OpenWorkspaceTest {

  @TempDir private Path data;

  @Test
  void storeThatTakesNoWrites_isAProblemOfTheWorkspaceWhileItLasts() {
    BlockingQueue<String> told = new LinkedBlockingQueue<>();
    try (var store = new HeapStore(ZoneOffset.UTC);
        var workspace =
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
                    new EmbeddingThread(System::nanoTime, Optional.empty(), () -> {}),
                    Instant.EPOCH),
                Optional.empty(),
                told::add)) {
      assertThat(workspace.problems()).isEmpty();
      store.refuseCommits("no more writes; make room");
      assertThat(workspace.services().status().report().problems())
          .containsExactly("no more writes; make room");
      store.takeCommits();
      assertThat(workspace.problems()).isEmpty();
      assertThat(told).isEmpty();
    }
  }
}
