package dev.agentmemory.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.pipeline.ingest.IngestLimits;
import dev.agentmemory.pipeline.ingest.Ingestor;
import dev.agentmemory.rocksdb.RocksStore;
import dev.agentmemory.rocksdb.config.StorageConfig;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.types.Event;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A secret that is masked on ingest is on no disk.
class SecretMaskingTest {

  private static final String SECRET = "correct-horse-battery-9";

  @TempDir private Path directory;

  @Test
  void append_eventWithASecret_leavesItInNoFile() throws IOException {
    Event event = event(SECRET);
    try (RocksStore store = open()) {
      assertThat(ingestor(store).append(List.of(event)).join())
          .singleElement()
          .isInstanceOf(Receipt.Created.class);
      assertThat(store.events().event(event.id()).orElseThrow().text())
          .isEqualTo("password=[masked:password]");
    }

    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        assertThat(Files.readString(file, StandardCharsets.ISO_8859_1))
            .as("%s", file)
            .doesNotContain(SECRET);
      }
    }
  }

  @Test
  void append_sameEventAfterARestart_isKnownAndAnotherSecretAConflict() {
    try (RocksStore store = open()) {
      ingestor(store).append(List.of(event(SECRET))).join();
    }

    try (RocksStore store = open()) {
      assertThat(ingestor(store).append(List.of(event(SECRET))).join())
          .singleElement()
          .isInstanceOf(Receipt.AlreadyKnown.class);
      assertThat(ingestor(store).append(List.of(event(SECRET + "9"))).join())
          .singleElement()
          .isInstanceOf(Receipt.Conflict.class);
      assertThat(store.verify(10)).isEmpty();
    }
  }

  private RocksStore open() {
    return RocksStore.open(directory.resolve("db"), StorageConfig.DEFAULT, InstantSource.system());
  }

  private static Ingestor ingestor(RocksStore store) {
    return new Ingestor(InstantSource.system(), store, IngestLimits.DEFAULT);
  }

  private static Event event(String password) {
    return TestEvents.messages("s", 1).getFirst().withContent("password=" + password, Map.of());
  }
}
