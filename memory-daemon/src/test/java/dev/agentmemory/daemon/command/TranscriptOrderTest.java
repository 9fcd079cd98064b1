package dev.agentmemory.daemon.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentmemory.cli.terminal.ExitCodes;
import dev.agentmemory.daemon.Daemon;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The order of a session is that of the file it was written to, on transcripts that agents wrote:
/// many of their lines share a timestamp, and ids are derived from what a line says.
@Tag("slow")
class TranscriptOrderTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path folder;

  /// @param time as the line has it
  private record Line(int number, Instant time) {

    String json(boolean positioned) {
      ObjectNode line =
          JSON.createObjectNode()
              .put("session_id", "transcript")
              .put("timestamp", time.toString())
              .put("text", "line " + number);
      if (positioned) {
        line.put("position", number);
      }
      return line + "\n";
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "claude-code.subagent",
        "claude-code.tools-and-subagent",
        "codex-cli.rollout",
        "copilot-cli.events"
      })
  void events_ofATranscript_areReadInTheOrderOfItsFile(String transcript) throws IOException {
    List<Line> lines = lines(transcript);
    List<String> expected =
        lines.stream()
            .sorted(Comparator.comparing(Line::time))
            .map(line -> "line " + line.number())
            .toList();
    List<Line> shuffled = new ArrayList<>(lines);
    Collections.shuffle(shuffled, new Random(20260130));

    // As the file has them: the numbers of the lines become positions.
    assertThat(read("file", lines, /* positioned= */ false)).isEqualTo(expected);
    // In any other order, each with the position that its source gives it.
    assertThat(read("shuffled", shuffled, /* positioned= */ true)).isEqualTo(expected);
  }

  @Test
  void transcripts_haveLinesThatShareATimestamp() throws IOException {
    List<Instant> times = lines("claude-code.tools-and-subagent").stream().map(Line::time).toList();
    assertThat(new HashSet<>(times)).hasSizeLessThan(times.size());
  }

  private List<String> read(String name, List<Line> lines, boolean positioned) throws IOException {
    var cli = new Cli(Files.createDirectory(folder.resolve(name)));
    String input = lines.stream().map(line -> line.json(positioned)).collect(Collectors.joining());
    try (Daemon _ = cli.daemon("search.embeddings=none")) {
      Cli.Said stored = cli.run("ingest", cli.write(input).toString());
      assertThat(stored.code()).as(stored.err()).isEqualTo(ExitCodes.OK);
      Cli.Said said = cli.run("events", "--json", "--limit", "1000");
      assertThat(said.code()).as(said.err()).isEqualTo(ExitCodes.OK);
      var texts = new ArrayList<String>();
      for (String event : said.out().lines().toList()) {
        texts.add(JSON.readTree(event).get("text").asText());
      }
      return texts;
    }
  }

  private static List<Line> lines(String transcript) throws IOException {
    String resource = "/agents/transcripts/" + transcript + ".jsonl";
    try (InputStream in =
        Objects.requireNonNull(TranscriptOrderTest.class.getResourceAsStream(resource))) {
      List<String> all = new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
      var lines = new ArrayList<Line>();
      for (int i = 0; i < all.size(); i++) {
        JsonNode time = JSON.readTree(all.get(i)).path("timestamp");
        if (time.isTextual()) {
          lines.add(new Line(i + 1, Instant.parse(time.asText())));
        }
      }
      return lines;
    }
  }
}
