package dev.agentmemory.daemon.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.client.Endpoint;
import dev.agentmemory.client.IngestStream;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.daemon.Daemon;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Events that a daemon has refused are told to whoever looks how it is doing.
class RefusedEventsTest {

  private static final Instant THEN = Instant.parse("2026-01-30T10:00:00Z");
  private static final Event GOOD = TestEvents.message("s", THEN, "We keep the retry budget.");
  private static final Event OTHER = TestEvents.withText(GOOD, "Other words.");
  private static final Event FUTURE =
      TestEvents.message("s", Instant.parse("2200-01-01T00:00:00Z"), "Not yet.");

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"separate", "unified"})
  void status_saysHowManyEventsWereRefusedAndWhy(String mode) {
    var cli = new Cli(folder);
    try (Daemon _ = cli.daemon("multi_agent_mode=" + mode);
        var client = MemoryClient.connect(Endpoint.find(cli.data()))) {
      assertThat(client.ingest().append(GOOD)).isInstanceOf(Receipt.Created.class);
      assertThat(client.admin().status().refused().total()).isZero();

      assertThat(client.ingest().append(OTHER)).isInstanceOf(Receipt.Conflict.class);
      assertThatThrownBy(() -> client.ingest().append(FUTURE)).isInstanceOf(MemoryException.class);
      try (IngestStream stream = client.openStream(_ -> {})) {
        stream.send(List.of(OTHER, FUTURE, FUTURE));
      }

      assertThat(client.admin().status().refused().byReason())
          .isEqualTo(Map.of("conflict", 2L, "event.timestamp_ms", 3L));
      assertThat(cli.run("status").out())
          .contains(
              "refused            5 events since the start (2 conflict, 3 event.timestamp_ms)");
      assertThat(cli.run("doctor").out()).contains("ok  refused");
    }
  }
}
