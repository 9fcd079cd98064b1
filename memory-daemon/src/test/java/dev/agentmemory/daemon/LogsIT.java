package dev.agentmemory.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogsIT {

  @TempDir private Path data;

  @Test
  void daemonInTheBackground_writesJsonLinesToItsFile() throws IOException, InterruptedException {
    PackagedDaemon.Run start = PackagedDaemon.run(data, "start", "--port", "0");
    assertThat(start.exit()).as(start.output()).isZero();
    PackagedDaemon.run(data, "stop");

    List<JsonNode> lines = lines(data.resolve("logs/daemon.log"));

    assertThat(lines.stream().map(line -> line.path("message").asText()))
        .anyMatch(message -> message.contains("serves"))
        .last()
        .isEqualTo("stopped");
    assertThat(Files.readString(data.resolve("logs/daemon.out"))).isEmpty();
  }

  @Test
  void daemonInTheBackground_keepsItsFilesToTheirOwner() throws IOException, InterruptedException {
    PackagedDaemon.run(data, "start", "--port", "0");
    PackagedDaemon.run(data, "stop");

    try (Stream<Path> files = Files.list(data.resolve("logs"))) {
      assertThat(files)
          .hasSizeGreaterThan(1)
          .allSatisfy(file ->
              assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                  .isEqualTo("rw-------"));
    }
  }

  @Test
  void daemonInTheForeground_withoutATerminal_printsJsonLines()
      throws IOException, InterruptedException {
    PackagedDaemon.start(data).close();

    assertThat(lines(data.resolve("logs/daemon.test.out")))
        .allSatisfy(line -> assertThat(line.path("component").asText()).isNotEmpty())
        .isNotEmpty();
    assertThat(data.resolve("logs/daemon.log")).doesNotExist();
  }

  @Test
  void daemonInTheBackground_thatCannotStart_saysWhyToWhoeverStartedIt()
      throws IOException, InterruptedException {
    PackagedDaemon.start(data).close();
    Files.writeString(data.resolve("token"), "damaged");

    PackagedDaemon.Run start = PackagedDaemon.run(data, "start", "--port", "0");

    assertThat(start.exit()).isEqualTo(1);
    assertThat(start.output())
        .contains("the daemon did not start", "the token file", "is damaged", "delete it")
        .doesNotContain("\tat ");
  }

  @Test
  void settingsFile_isReadByTheDaemonInTheBackground(@TempDir Path elsewhere)
      throws IOException, InterruptedException {
    Path file =
        Files.writeString(elsewhere.resolve("c.toml"), "grpc_port = 0\nlog_level = 'error'\n");

    PackagedDaemon.Run start = PackagedDaemon.run(data, "start", "--config", file.toString());
    assertThat(start.exit()).as(start.output()).isZero();
    PackagedDaemon.run(data, "stop");

    assertThat(data.resolve("logs/daemon.log")).isEmptyFile();
  }

  private static List<JsonNode> lines(Path file) throws IOException {
    try (var values =
        new JsonMapper().readerFor(JsonNode.class).<JsonNode>readValues(file.toFile())) {
      return values.readAll();
    }
  }
}
