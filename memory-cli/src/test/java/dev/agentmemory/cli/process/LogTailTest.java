package dev.agentmemory.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogTailTest {

  private static final String OLD = "{\"level\":\"info\",\"message\":\"of the one before\"}\n";
  private static final String NEW =
      "{\"level\":\"error\",\"message\":\"broke\",\"exception\":\"Bad: why\\n\\tat x\"}\n";

  @TempDir private Path data;

  @BeforeEach
  void makeFolder() throws IOException {
    Files.createDirectory(data.resolve("logs"));
  }

  @Test
  void text_logOfAnotherBefore_showsWhatIsNewAndTheOutput() throws IOException {
    Path log = Files.writeString(data.resolve("logs/daemon.log"), OLD);
    LogTail words = LogTail.since(data);
    Files.writeString(log, NEW, StandardOpenOption.APPEND);
    Files.writeString(data.resolve("logs/daemon.out"), "memory: port 1 is taken\n");

    assertThat(words.text()).isEqualTo("  | error: broke (Bad: why)\n  | memory: port 1 is taken");
  }

  @Test
  void text_logPutAsideMeanwhile_showsTheNewOne() throws IOException {
    Path log = Files.writeString(data.resolve("logs/daemon.log"), OLD.repeat(10));
    LogTail words = LogTail.since(data);
    Files.writeString(log, NEW);

    assertThat(words.text()).isEqualTo("  | error: broke (Bad: why)");
  }

  @Test
  void text_longOutput_showsItsEndOnly() throws IOException {
    LogTail words = LogTail.since(data);
    Files.writeString(data.resolve("logs/daemon.out"), "noise\n".repeat(100_000) + "the end\n");

    assertThat(words.text().lines()).hasSize(15).last().isEqualTo("  | the end");
  }

  @Test
  void text_nothingThere_saysSo() throws IOException {
    assertThat(LogTail.since(data).text()).isEqualTo("  (no output)");
  }
}
