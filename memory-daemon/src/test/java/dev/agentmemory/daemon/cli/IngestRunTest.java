package dev.agentmemory.daemon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.client.Endpoint;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.daemon.Daemon;
import dev.agentmemory.daemon.config.ConfigLoader;
import dev.agentmemory.daemon.config.Source;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Input that comes bit by bit, over a pipe that stays open.
class IngestRunTest {

  private static final String GOOD =
      "{\"session_id\":\"s1\",\"timestamp\":\"2026-01-30T14:30:00Z\",\"text\":\"Hello\"}\n";

  @TempDir private Path data;

  @Test
  void send_pipeThatFallsSilent_storesWhatWasSaid() throws Exception {
    var out = new PipedOutputStream();
    try (Daemon daemon = daemon();
        MemoryClient client = MemoryClient.connect(Endpoint.find(data));
        var in = new PipedInputStream(out)) {
      assertThat(daemon.port()).isPositive();
      var run = new IngestRun(silent(), /* strict= */ false);
      CompletableFuture<Void> sending = start(run, client, in);
      say(out, GOOD);
      assertThat(Patience.until(Duration.ofSeconds(20), () -> run.stored() == 1)).isTrue();
      assertThat(sending).isNotDone();
      out.close();
      sending.get(20, TimeUnit.SECONDS);
    }
  }

  @Test
  void send_strictAndABadLine_endsWithoutAnotherLine() throws Exception {
    try (Daemon daemon = daemon();
        MemoryClient client = MemoryClient.connect(Endpoint.find(data));
        var out = new PipedOutputStream();
        var in = new PipedInputStream(out)) {
      assertThat(daemon.port()).isPositive();
      var run = new IngestRun(silent(), /* strict= */ true);
      CompletableFuture<Void> sending = start(run, client, in);
      say(out, GOOD + "nonsense\n");
      sending.get(20, TimeUnit.SECONDS);
      assertThat(run.counts().sentence()).isEqualTo("1 stored, 0 known, 1 refused");
    }
  }

  private static CompletableFuture<Void> start(
      IngestRun run, MemoryClient client, PipedInputStream in) {
    return CompletableFuture.runAsync(() -> {
      try {
        run.send(client, in);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    });
  }

  private static void say(PipedOutputStream out, String lines) throws IOException {
    out.write(lines.getBytes(StandardCharsets.UTF_8));
    out.flush();
  }

  private static Screen silent() {
    var nowhere = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
    return new Screen(nowhere, nowhere, Optional.empty(), false);
  }

  private Daemon daemon() {
    return Daemon.start(ConfigLoader.load(data, List.of(Source.flags(List.of("grpc_port=0")))));
  }
}
