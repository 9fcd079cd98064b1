package dev.agentmemory.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.types.Event;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `memory ingest` of the packaged program while the daemon stops answering and stays connected.
@Tag("long")
class SuspendedIngestIT {

  private static final long START = 1_769_783_400_000L;

  /// Two times the waiting that docs/operating.md states, and what the machine needs besides.
  private static final int MOST_SECONDS = 60;

  /// The first lines of each, which are answered before the daemon is suspended.
  private static final int FEW = 10;

  private static final int MANY = 200;

  @TempDir private Path folder;

  /// Few lines go by single calls and many over a stream. All wait at the same time, since each
  /// takes a quarter of a minute.
  @Test
  void ingest_daemonSuspendedMeanwhile_endsAndCountsWhatWasAcknowledged() throws Exception {
    try (PackagedDaemon daemon =
        PackagedDaemon.start(folder.resolve("data"), "search.embeddings=none")) {
      var few = new Ingest(daemon, "few", FEW);
      var many = new Ingest(daemon, "many", MANY);
      var json = new Ingest(daemon, "json", MANY, "--json");
      var poured = new Ingest(daemon, "poured", 20_000);
      List<Ingest> all = List.of(few, many, json);
      for (Ingest one : all) {
        one.write(0, one.lines);
      }
      daemon.await("the first lines", () -> stored(daemon) == FEW + 2 * MANY);
      Thread pouring = Thread.ofVirtual().start(poured::pour);
      daemon.await("events of the last", () -> stored(daemon) > 1000);

      signal("-STOP", daemon);
      for (Ingest one : all) {
        one.write(one.lines, one.lines + 5);
        one.end();
      }
      for (Ingest one : List.of(few, many, json, poured)) {
        one.awaitEnd();
      }
      pouring.join();
      signal("-CONT", daemon);

      for (Ingest one : List.of(few, many, poured)) {
        one.assertTold();
      }
      JsonNode counts = json.counts();
      assertThat(counts.path("complete").asBoolean()).isFalse();
      assertThat(counts.path("unacknowledged").asLong()).isPositive();
      assertThat(few.stored()).isBetween(0L, (long) FEW);
      assertThat(poured.stored()).isPositive().isLessThan(20_000);
      daemon.await("a daemon that goes on", daemon.client::serving);
      for (Ingest one : List.of(few, many, json, poured)) {
        assertThat(one.wordsIn(daemon)).as(one.name).containsAll(one.words(one.stored()));
      }
    }
  }

  private static long stored(PackagedDaemon daemon) {
    return daemon.client.admin().usage().events();
  }

  private static void signal(String signal, PackagedDaemon daemon) throws Exception {
    var kill = new ProcessBuilder("kill", signal, Long.toString(daemon.pid())).inheritIO().start();
    assertThat(kill.waitFor()).isZero();
  }

  /// One run of the command, whose lines come over a pipe.
  private final class Ingest {

    private final String name;
    private final int lines;
    private final Path said;
    private final Process process;

    Ingest(PackagedDaemon daemon, String name, int lines, String... options) throws IOException {
      this.name = name;
      this.lines = lines;
      this.said = folder.resolve(name);
      Path program = Path.of(System.getProperty("agentmemory.dist"), "bin", "memory");
      var command = new ArrayList<>(List.of(program.toString(), "ingest", "-"));
      command.addAll(List.of("--data", daemon.data.toString()));
      command.addAll(List.of(options));
      this.process =
          new ProcessBuilder(command)
              .redirectOutput(said.toFile())
              .redirectError(errors().toFile())
              .start();
    }

    private Path errors() {
      return folder.resolve(name + ".errors");
    }

    void write(int from, int to) throws IOException {
      OutputStream in = process.getOutputStream();
      String text =
          IntStream.range(from, to)
              .mapToObj(i ->
                  "{\"session_id\":\"%s\",\"timestamp_ms\":%d,\"text\":\"%s\"}\n"
                      .formatted(name, START + i, word(i)))
              .collect(Collectors.joining());
      in.write(text.getBytes(StandardCharsets.UTF_8));
      in.flush();
    }

    /// Until all is written, or the command reads no more.
    void pour() {
      try {
        for (int from = 0; from < lines; from += 100) {
          write(from, from + 100);
        }
        end();
      } catch (IOException e) {
        // The command has ended, as it should.
      }
    }

    void end() throws IOException {
      process.getOutputStream().close();
    }

    void awaitEnd() throws Exception {
      assertThat(process.waitFor(MOST_SECONDS, TimeUnit.SECONDS)).as(name).isTrue();
      assertThat(process.exitValue()).as(name + Files.readString(errors())).isEqualTo(3);
    }

    void assertTold() throws IOException {
      assertThat(Files.readString(said)).matches("\\d+ stored, 0 known, 0 refused\n");
      assertThat(Files.readString(errors()).lines())
          .as(name)
          .satisfiesExactly(
              why ->
                  assertThat(why)
                      .matches("memory: the daemon at 127\\.0\\.0\\.1:\\d+ .*`memory status`.*"),
              what ->
                  assertThat(what).startsWith("memory: only the counted events were acknowledged"));
    }

    JsonNode counts() throws IOException {
      return new JsonMapper().readTree(Files.readString(said));
    }

    long stored() throws IOException {
      String text = Files.readString(said);
      return text.startsWith("{")
          ? counts().path("stored").asLong()
          : Long.parseLong(text.substring(0, text.indexOf(' ')));
    }

    /// Those of the first events: they are answered in their order.
    Set<String> words(long count) {
      return IntStream.range(0, (int) count)
          .mapToObj(this::word)
          .collect(Collectors.toCollection(TreeSet::new));
    }

    private String word(int number) {
      return name + number;
    }

    Set<String> wordsIn(PackagedDaemon daemon) {
      Instant start = Instant.ofEpochMilli(START);
      return Page.stream(
              PageRequest.of(10_000),
              page -> daemon.client.events().between(start, start.plusSeconds(30), page))
          .map(Event::text)
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }
}
