package dev.agentmemory.daemon.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.agentmemory.cli.ingest.EventSender;
import dev.agentmemory.cli.ingest.LineReader;
import dev.agentmemory.cli.terminal.ExitCodes;
import dev.agentmemory.daemon.Daemon;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What `memory ingest` says of lines and files that are not as they should be.
@Tag("slow")
class IngestCommandTest {

  private static final String SEVEN =
      """
      {"session_id":"s","timestamp":"2026-01-30T14:30:00Z","text":"one"}
      {"timestamp":"2026-01-30T14:30:00Z","text":"two"}
      {"session_id":"s","timestamp":"yesterday","text":"three"}
      {"session_id":"s","timestamp":"2026-01-30T14:30:00Z","event_type":"chat","text":"four"}
      {"session_id":"s","timestamp":"2026-01-30T14:30:00Z","text":""}
      five
      {"session_id":"s","timestamp":"2026-01-30T14:31:00Z","text":"six"}
      """;

  @TempDir private Path folder;

  private Daemon daemon;

  @BeforeEach
  void start() {
    daemon = new Cli(folder).daemon("search.embeddings=none");
  }

  @AfterEach
  void stop() {
    daemon.close();
  }

  @Test
  void ingest_refusedLines_endsWithFourAndListsEach() throws IOException {
    Cli.Said said = ingest(SEVEN);

    assertThat(said.code()).isEqualTo(ExitCodes.REFUSED);
    assertThat(said.out()).isEqualTo("2 stored, 0 known, 5 refused\n");
    assertThat(said.err().lines())
        .satisfiesExactly(
            line -> assertThat(line).startsWith("memory: line 2: session_id: is missing; send"),
            line ->
                assertThat(line).startsWith("memory: line 3: timestamp: is yesterday; expected"),
            line -> assertThat(line).startsWith("memory: line 4: event_type: is chat; expected"),
            line -> assertThat(line).startsWith("memory: line 5: text: is empty; a user"),
            line ->
                assertThat(line).startsWith("memory: line 6: is not JSON").contains("expected"));
  }

  @Test
  void ingest_lenient_endsWithNothingAndListsThemAllTheSame() throws IOException {
    Cli.Said said = ingest(SEVEN, "--lenient");

    assertThat(said.code()).isEqualTo(ExitCodes.OK);
    assertThat(said.out()).isEqualTo("2 stored, 0 known, 5 refused\n");
    assertThat(said.err().lines()).hasSize(5);
  }

  @Test
  void ingest_strict_stopsAtTheFirstRefusedLine() throws IOException {
    Cli.Said said = ingest(SEVEN, "--strict");

    assertThat(said.code()).isEqualTo(ExitCodes.REFUSED);
    assertThat(said.out()).isEqualTo("1 stored, 0 known, 1 refused\n");
    assertThat(said.err().lines()).hasSize(1);
    assertThat(json(SEVEN, "--strict").get("complete").asBoolean()).isFalse();
  }

  @Test
  void ingest_strictAndLenient_isWrongUsage() throws IOException {
    assertThat(ingest(SEVEN, "--strict", "--lenient"))
        .isEqualTo(
            new Cli.Said(
                2,
                "",
                "memory: --lenient: cannot be combined with --strict; give only one"
                    + " of them\n"));
  }

  @Test
  void ingest_json_listsRefusedLinesAndUnknownFields() throws IOException {
    JsonNode said =
        json(SEVEN + "{\"session_id\":\"s\",\"timestamp_ms\":1,\"text\":\"x\",\"extra\":1}\n");

    assertThat(said.get("stored").asInt()).isEqualTo(3);
    assertThat(said.get("refused").asInt()).isEqualTo(5);
    assertThat(said.get("unacknowledged").asInt()).isZero();
    assertThat(said.get("complete").asBoolean()).isTrue();
    assertThat(said.get("refusals").findValuesAsText("line"))
        .containsExactly("2", "3", "4", "5", "6");
    assertThat(said.get("refusals").findValuesAsText("field"))
        .containsExactly("session_id", "timestamp", "event_type", "text", "");
    assertThat(said.get("refusals").get(0).get("problem").asText()).contains("is missing");
    assertThat(said.get("unknown_fields"))
        .hasToString("[{\"name\":\"extra\",\"lines\":1,\"first_line\":8}]");
  }

  @Test
  void ingest_unknownFields_areNamedAndCounted() throws IOException {
    String line =
        "{\"session_id\":\"s\",\"timestamp_ms\":%d,\"text\":\"x\",\"model\":\"m\",\"cwd\":\"/\"}\n";
    Cli.Said said = ingest(line.formatted(1) + line.formatted(2));

    assertThat(said.code()).isEqualTo(ExitCodes.OK);
    assertThat(said.out()).isEqualTo("2 stored, 0 known, 0 refused\n");
    assertThat(said.err())
        .startsWith("memory: 2 lines have unknown fields")
        .contains(
            "model (2 lines, the first is line 1), cwd (2 lines", "put such values into metadata");
  }

  @Test
  void ingest_manyUnknownFields_namesTheFirstFew() throws IOException {
    String fields =
        IntStream.range(0, 200)
            .mapToObj(i -> ",\"f" + i + "\":1")
            .collect(Collectors.joining("", "{\"session_id\":\"s\",\"timestamp_ms\":1", "}"));
    Cli.Said said = ingest(fields.replace("}", ",\"text\":\"x\"}"));

    assertThat(said.err())
        .startsWith("memory: 1 line has unknown fields")
        .contains("f0 (line 1)", "f4 (line 1) and 95 more")
        .doesNotContain("f5 ");
  }

  @Test
  void ingest_moreRefusedLinesThanAreListed_saysHowMany() throws IOException {
    Cli.Said said = ingest("x\n".repeat(1003));

    assertThat(said.code()).isEqualTo(ExitCodes.REFUSED);
    assertThat(said.out()).isEqualTo("0 stored, 0 known, 1003 refused\n");
    assertThat(said.err().lines())
        .hasSize(1001)
        .last()
        .asString()
        .startsWith("memory: 3 more lines refused and not listed");
  }

  @Test
  void ingest_refusedByTheDaemon_namesLineAndField() throws IOException {
    String ahead = "{\"session_id\":\"s\",\"timestamp\":\"2200-01-01T00:00:00Z\",\"text\":\"x\"}\n";
    String known =
        "{\"event_id\":\"01HN4QXKN6YWXVKZ3JMHP4BCDE\",\"session_id\":\"s\",\"timestamp_ms\":1,"
            + "\"text\":\"%s\"}\n";
    String lines = known.formatted("a") + ahead + known.formatted("b");
    Cli.Said said = ingest(lines);

    assertThat(said.code()).isEqualTo(ExitCodes.REFUSED);
    assertThat(said.out()).isEqualTo("1 stored, 0 known, 2 refused\n");
    assertThat(said.err().lines())
        .satisfiesExactly(
            line -> assertThat(line).startsWith("memory: line 2: event.timestamp_ms: "),
            line ->
                assertThat(line)
                    .startsWith("memory: line 3: event.event_id: event 01HN")
                    .contains("different content; send this event with a different id"));
    // The same over a stream.
    String filler = good(EventSender.FEW);
    assertThat(ingest(filler + lines).err().lines())
        .containsExactlyElementsOf(
            said.err()
                .lines()
                .map(line -> line.replace("line 2:", "line 66:").replace("line 3:", "line 67:"))
                .toList());
  }

  @Test
  void ingest_fewAndMany_areStoredInTheOrderOfTheFile() throws IOException {
    for (int lines : List.of(1, EventSender.FEW, EventSender.FEW + 1, 1000)) {
      Cli.Said said = ingest(good(lines).replace("\"s\"", "\"s" + lines + "\""));

      assertThat(said).isEqualTo(new Cli.Said(0, lines + " stored, 0 known, 0 refused\n", ""));
      assertThat(run("events", "--session", "s" + lines, "--limit", "2000", "--full").out().lines())
          .extracting(line -> line.substring(line.lastIndexOf(' ') + 1))
          .filteredOn(word -> word.startsWith("word"))
          .containsExactlyElementsOf(IntStream.range(0, lines).mapToObj(i -> "word" + i).toList());
    }
  }

  @Test
  void ingest_bytesBeforeBetweenAndBehindLines_areNoMatter() throws IOException {
    String two = good(2).strip();
    assertThat(ingest("\uFEFF" + two.replace("\n", "\r\n") + "\r\n\r\n").out())
        .isEqualTo("2 stored, 0 known, 0 refused\n");
    assertThat(ingest(two).out()).isEqualTo("0 stored, 2 known, 0 refused\n");
    assertThat(ingest("\n\n" + two + "\n \n").out()).isEqualTo("0 stored, 2 known, 0 refused\n");
  }

  @Test
  void ingest_nothing_isNothing() throws IOException {
    assertThat(ingest("")).isEqualTo(new Cli.Said(0, "0 stored, 0 known, 0 refused\n", ""));
  }

  @Test
  void ingest_linesThatAreTooLong_areRefusedAndTheRestIsStored() throws IOException {
    for (int length : List.of((1 << 20) + 1, 5 << 20, LineReader.MOST_BYTES, 9 << 20)) {
      String line = "{\"session_id\":\"s\",\"timestamp_ms\":1,\"text\":\"" + "x".repeat(length);
      String text = length == LineReader.MOST_BYTES ? line.substring(0, length - 2) : line;
      Cli.Said said = ingest(good(1) + text + "\"}\n" + good(2));

      assertThat(said.code()).as(said.err()).isEqualTo(ExitCodes.REFUSED);
      assertThat(said.out()).endsWith(" 1 refused\n");
      assertThat(said.err()).startsWith("memory: line 2: ").contains("1").doesNotContain("ended");
    }
  }

  @Test
  void ingest_metadataThatNoMessageHolds_isRefusedAndTheRestIsStored() throws IOException {
    String line = good(1).replace("}", ",\"metadata\":{\"a\":\"" + "é".repeat(3 << 20) + "\"}}");
    Cli.Said said = ingest(line + good(2));

    assertThat(said.code()).isEqualTo(ExitCodes.REFUSED);
    assertThat(said.out()).isEqualTo("2 stored, 0 known, 1 refused\n");
    assertThat(said.err()).startsWith("memory: line 1: metadata: is too large; an event holds 64");
  }

  @Test
  void ingest_noText_isToldLineByLine() throws IOException {
    Path file = folder.resolve("binary");
    Files.write(file, new byte[] {0x1f, (byte) 0x8b, 0x08, '\n', 0, 1, 2, '\n', (byte) 0xff});
    Cli.Said said = run("ingest", file.toString());

    assertThat(said.code()).isEqualTo(ExitCodes.REFUSED);
    assertThat(said.out()).isEqualTo("0 stored, 0 known, 3 refused\n");
    assertThat(said.err().lines()).hasSize(3).allMatch(line -> line.startsWith("memory: line "));
    Files.write(file, "[1]".getBytes(StandardCharsets.UTF_16));
    assertThat(run("ingest", file.toString()).err())
        .isEqualTo("memory: line 1: is not UTF-8; convert the input to it\n");
  }

  @Test
  void ingest_whatIsNoFile_isToldWithItsName() throws IOException {
    assertThat(run("ingest", folder.toString()))
        .isEqualTo(
            new Cli.Said(
                1,
                "",
                "memory: " + folder + " is a directory; give a file with one event per line\n"));
    Path none = folder.resolve("none");
    assertThat(run("ingest", none.toString()))
        .isEqualTo(new Cli.Said(1, "", "memory: there is no file " + none + "\n"));
    Path closed = Files.writeString(folder.resolve("closed"), good(1));
    Files.setPosixFilePermissions(closed, Set.<PosixFilePermission>of());
    if (!Files.isReadable(closed)) {
      assertThat(run("ingest", closed.toString()).err())
          .startsWith("memory: " + closed + " is not accessible to this user");
    }
  }

  private static String good(int lines) {
    return IntStream.range(0, lines)
        .mapToObj(i ->
            "{\"session_id\":\"s\",\"timestamp_ms\":%d,\"text\":\"word%d\"}\n"
                .formatted(1769783400000L + i, i))
        .collect(Collectors.joining());
  }

  private Cli.Said ingest(String lines, String... options) throws IOException {
    Path file = new Cli(folder).write(lines);
    String[] args = new String[options.length + 2];
    args[0] = "ingest";
    args[1] = file.toString();
    System.arraycopy(options, 0, args, 2, options.length);
    return run(args);
  }

  private JsonNode json(String lines, String... options) throws IOException {
    String[] args = Arrays.copyOf(options, options.length + 1);
    args[options.length] = "--json";
    return new JsonMapper().readTree(ingest(lines, args).out());
  }

  private Cli.Said run(String... args) {
    return new Cli(folder).run(args);
  }
}
