package dev.agentmemory.bench.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RepeatingTranscriptsTest {

  private static final String LINE =
      "{\"type\":\"user\",\"message\":\"" + "word ".repeat(200) + "\"}";

  @TempDir private Path folder;

  @Test
  void write_threeQuartersOfTheBytes_areRequests() throws IOException {
    Path file = Files.write(folder.resolve("a.jsonl"), Collections.nCopies(300, LINE));

    RepeatingTranscripts.Written written =
        RepeatingTranscripts.write(
            List.of(file), 2, folder.resolve("plain"), folder.resolve("repeating"));

    assertThat((double) written.repeating() / written.bytes()).isCloseTo(0.75, within(0.02));
    List<String> lines = Files.readAllLines(folder.resolve("repeating/1-a.jsonl"));
    assertThat(lines.stream().filter(LINE::equals)).hasSize(300);
    assertThat(lines.stream().filter(line -> !line.equals(LINE)))
        .isNotEmpty()
        .allMatch(line -> line.startsWith("{\"type\":\"api-request"));
    assertThat(Files.readAllLines(folder.resolve("plain/1-a.jsonl"))).hasSize(300);
  }
}
