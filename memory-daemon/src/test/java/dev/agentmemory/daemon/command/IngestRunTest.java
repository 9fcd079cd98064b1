package dev.agentmemory.daemon.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.cli.ingest.EventSender;
import dev.agentmemory.cli.ingest.IngestRun;
import dev.agentmemory.cli.process.Polling;
import dev.agentmemory.cli.terminal.Terminal;
import dev.agentmemory.client.Endpoint;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.daemon.Daemon;
import dev.agentmemory.daemon.config.ConfigLoader;
import dev.agentmemory.daemon.config.SettingSource;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Input that comes bit by bit, over a pipe that stays open.
class IngestRunTest {

  private static final String GOOD =
      "{\"session_id\":\"s1\",\"timestamp\":\"2026-01-30T14:30:00Z\",\"text\":\"Hello\"}\n";

  private static final Instant FAR = Instant.parse("2286-01-01T00:00:00Z");

  @TempDir private Path data;

  @Test
  void send_pipeThatFallsSilent_storesWhatWasSaid() throws Exception {
    var out = new PipedOutputStream();
    try (Daemon daemon = daemon();
        MemoryClient client = MemoryClient.connect(Endpoint.find(data));
        var in = new PipedInputStream(out)) {
      assertThat(daemon.port()).isPositive();
      var run = new IngestRun(silent(), /* strict= */ false, /* numbered= */ false);
      CompletableFuture<Void> sending = start(run, client, in);
      say(out, GOOD);
      assertThat(Polling.until(Duration.ofSeconds(20), () -> run.stored() == 1)).isTrue();
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
      var run = new IngestRun(silent(), /* strict= */ true, /* numbered= */ false);
      CompletableFuture<Void> sending = start(run, client, in);
      say(out, GOOD + "nonsense\n");
      sending.get(20, TimeUnit.SECONDS);
      assertThat(run.counts().sentence()).isEqualTo("1 stored, 0 known, 1 refused");
    }
  }

  @Test
  void send_daemonThatEnds_countsWhatWasAcknowledged() throws Exception {
    for (int lines : List.of(1, EventSender.FEW + 1)) {
      var out = new PipedOutputStream();
      Daemon daemon = daemon();
      try (MemoryClient client = MemoryClient.connect(Endpoint.find(data));
          var in = new PipedInputStream(out, 1 << 20)) {
        var run = new IngestRun(silent(), /* strict= */ false, /* numbered= */ false);
        say(out, good(0, lines));
        CompletableFuture<Void> sending = start(run, client, in);
        assertThat(Polling.until(Duration.ofSeconds(20), () -> run.stored() == lines)).isTrue();
        daemon.close();
        say(out, good(lines, lines + 3));
        out.close();

        assertThatThrownBy(() -> sending.get(20, TimeUnit.SECONDS))
            .isInstanceOf(ExecutionException.class)
            .cause()
            .asInstanceOf(InstanceOfAssertFactories.type(MemoryException.class))
            .extracting(MemoryException::code)
            .isIn(ErrorCode.UNREACHABLE, ErrorCode.CLOSED);
        assertThat(run.counts().sentence()).isEqualTo(lines + " stored, 0 known, 0 refused");
        assertThat(run.counts().unacknowledged()).isPositive();
        assertThat(run.counts().complete()).isFalse();
      } finally {
        daemon.close();
      }
      // The next one begins anew.
      data = data.resolve("next");
    }
  }

  @Test
  void send_inputThatBreaksOff_storesWhatWasReadBefore() throws Exception {
    byte[] lines = good(0, 3).getBytes(StandardCharsets.UTF_8);
    var in =
        new SequenceInputStream(
            new ByteArrayInputStream(lines),
            new InputStream() {
              @Override
              public int read() throws IOException {
                throw new IOException("Input/output error");
              }

              @Override
              public int read(byte[] bytes, int from, int length) throws IOException {
                return read();
              }
            });
    try (Daemon daemon = daemon();
        MemoryClient client = MemoryClient.connect(Endpoint.find(data))) {
      assertThat(daemon.port()).isPositive();
      var run = new IngestRun(silent(), /* strict= */ false, /* numbered= */ false);
      assertThatExceptionOfType(IOException.class).isThrownBy(() -> run.send(client, in));
      assertThat(run.counts().sentence()).isEqualTo("3 stored, 0 known, 0 refused");
      assertThat(run.counts().complete()).isFalse();
    }
  }

  @Test
  void send_nothingToADaemonThatIsGone_fails() {
    Daemon daemon = daemon();
    try (MemoryClient client = MemoryClient.connect(Endpoint.find(data))) {
      daemon.close();
      var run = new IngestRun(silent(), /* strict= */ false, /* numbered= */ false);
      assertThatExceptionOfType(MemoryException.class)
          .isThrownBy(() -> run.send(client, new ByteArrayInputStream(new byte[0])))
          .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.UNREACHABLE));
    }
  }

  private static String good(int from, int to) {
    return IntStream.range(from, to)
        .mapToObj(
            i -> "{\"session_id\":\"s1\",\"timestamp_ms\":%d,\"text\":\"Hello\"}\n".formatted(i))
        .collect(Collectors.joining());
  }

  @Test
  void send_eventsOfOneTime_numberedByTheirLines_orByTheirArrival() throws Exception {
    String third = GOOD.replace("Hello", "Third").replace("{", "{\"position\":7,");
    String lines = "\n" + GOOD + "\n" + GOOD.replace("Hello", "Again") + third;
    try (Daemon daemon = daemon()) {
      assertThat(daemon.port()).isPositive();
      for (boolean numbered : new boolean[] {true, false}) {
        Endpoint named =
            Endpoint.find(data).withWorkspace(Optional.of(new WorkspaceName("w-" + numbered)));
        try (MemoryClient client = MemoryClient.connect(named)) {
          var run = new IngestRun(silent(), /* strict= */ true, numbered);
          run.send(client, new ByteArrayInputStream(lines.getBytes(StandardCharsets.UTF_8)));
          assertThat(run.stored()).isEqualTo(3);
          List<Event> read =
              client.events().between(Instant.EPOCH, FAR, PageRequest.of(10)).items();
          assertThat(read).extracting(Event::text).containsExactly("Hello", "Again", "Third");
          assertThat(read)
              .extracting(Event::position)
              .isEqualTo(numbered ? List.of(2L, 4L, 7L) : List.of(1L, 2L, 7L));
        }
      }
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

  private static Terminal silent() {
    var nowhere = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
    return new Terminal(nowhere, nowhere, Optional.empty(), false);
  }

  private Daemon daemon() {
    return Daemon.start(
        ConfigLoader.load(data, List.of(SettingSource.flags(List.of("grpc_port=0")))));
  }
}
