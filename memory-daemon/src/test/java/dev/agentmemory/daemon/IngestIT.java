package dev.agentmemory.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// `memory ingest` of the packaged program.
class IngestIT {

  @TempDir private Path folder;

  /// 64 lines go by single calls, more over a stream: each has its own way to fail.
  @ParameterizedTest
  @ValueSource(ints = {10, 200})
  void ingest_daemonIsKilledMeanwhile_countsWhatWasAcknowledged(int lines) throws Exception {
    try (PackagedDaemon daemon =
        PackagedDaemon.start(folder.resolve("data"), "search.embeddings=none")) {
      Process ingest = ingestOfStandardInput(daemon);
      OutputStream in = ingest.getOutputStream();
      write(in, 0, lines);
      daemon.await("the first lines", () -> daemon.client.admin().usage().events() == lines);
      killLeavingItsFiles(daemon);
      write(in, lines, lines + 5);
      in.close();

      assertThat(ingest.waitFor(90, TimeUnit.SECONDS)).isTrue();
      String said = Files.readString(folder.resolve("said"));
      assertThat(ingest.exitValue()).as(said).isEqualTo(3);
      assertThat(said)
          .containsPattern(
              "memory: (no daemon answers at|the connection to the daemon at) 127\\.0\\.0\\.1:")
          .contains("memory: only the counted events were acknowledged; run the same command again")
          .containsPattern("(?m)^[0-9]+ stored, 0 known, 0 refused$")
          .doesNotContain("Exception", "uppress", "WARNING", "\tat ");
      long stored = Long.parseLong(said.replaceAll("(?s).*?([0-9]+) stored.*", "$1"));
      // The last answer may have been on its way when the daemon was killed.
      assertThat(stored).isBetween(0L, (long) lines);
    }
  }

  /// It would take most of the time of a hook that sends one event.
  @Test
  void ingest_fewEvents_needsNoStreamingTransportAndNoLogging() throws Exception {
    try (PackagedDaemon daemon =
        PackagedDaemon.start(folder.resolve("data"), "search.embeddings=none")) {
      Map<String, String> shown = Map.of("MEMORY_JAVA_OPTS", "-Xlog:class+init=info:stdout");
      String few = PackagedDaemon.run(daemon.data, shown, "ingest", file("few", 64)).output();
      assertThat(few).contains("64 stored, 0 known, 0 refused", "Initializing 'dev/agentmemory");
      assertThat(few.lines())
          .filteredOn(line -> line.contains("Initializing"))
          .noneMatch(line -> line.contains("netty") || line.contains("ch/qos/logback"))
          .noneMatch(line -> line.contains("jackson/databind"));
      String many = PackagedDaemon.run(daemon.data, shown, "ingest", file("many", 65)).output();
      assertThat(many).contains("1 stored, 64 known, 0 refused", "netty");
    }
  }

  private Process ingestOfStandardInput(PackagedDaemon daemon) throws IOException {
    Path program = Path.of(System.getProperty("agentmemory.dist"), "bin", "memory");
    return new ProcessBuilder(program.toString(), "ingest", "-", "--data", daemon.data.toString())
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("said").toFile())
        .start();
  }

  /// A killed daemon leaves behind what says where it listened.
  private static void killLeavingItsFiles(PackagedDaemon daemon)
      throws IOException, InterruptedException {
    byte[] left = Files.readAllBytes(daemon.data.resolve("daemon.json"));
    daemon.kill();
    Files.write(daemon.data.resolve("daemon.json"), left);
  }

  private static void write(OutputStream in, int from, int to) throws IOException {
    in.write(lines(from, to).getBytes(StandardCharsets.UTF_8));
    in.flush();
  }

  private String file(String name, int lines) throws IOException {
    return Files.writeString(folder.resolve(name), lines(0, lines)).toString();
  }

  private static String lines(int from, int to) {
    return IntStream.range(from, to)
        .mapToObj(i ->
            "{\"session_id\":\"s\",\"timestamp_ms\":%d,\"text\":\"word%d\"}\n"
                .formatted(1769783400000L + i, i))
        .collect(Collectors.joining());
  }
}
