package dev.agentmemory.daemon.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.cli.process.Polling;
import dev.agentmemory.cli.terminal.Columns;
import dev.agentmemory.cli.terminal.ExitCodes;
import dev.agentmemory.daemon.Daemon;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Every command on terminals of all widths; 0 is one that does not tell.
@Tag("slow")
class TerminalTest {

  private static final Pattern GRIP = Pattern.compile("grip:\\d{13}:[0-9A-Z]{26}");
  private static final Pattern SEGMENT = Pattern.compile("seg:[0-9A-Z]{26}");

  /// They need a daemon that is another process: TerminalIT.
  private static final Set<String> ELSEWHERE = Set.of("start", "stop");

  @TempDir private static Path folder;

  private static final AtomicInteger FRESH = new AtomicInteger();
  private static Daemon daemon;
  private static String grip = "";
  private static String segment = "";

  @BeforeAll
  static void fill() throws Exception {
    daemon = new Cli(folder).daemon("search.embeddings=none");
    Path sample = folder.resolve("sample.jsonl");
    try (InputStream in =
        Objects.requireNonNull(TerminalTest.class.getResourceAsStream("/demo/events.jsonl"))) {
      Files.copy(in, sample);
    }
    assertThat(run(80, "ingest", sample.toString()).code()).isEqualTo(ExitCodes.OK);
    assertThat(
            Polling.until(
                Duration.ofSeconds(60),
                () -> GRIP.matcher(run(300, "toc", "2026-01-12", "--grips").out()).find()))
        .isTrue();
    grip = first(GRIP, run(300, "toc", "2026-01-12", "--grips").out());
    segment = first(SEGMENT, run(300, "segments").out());
  }

  @AfterAll
  static void stop() {
    daemon.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 20, 54, 80, 300})
  void everyCommand_atAnyWidth_says(int columns) throws IOException {
    Function<String, String> fill =
        EveryCommand.filling(known(), _ -> folder.resolve("new" + FRESH.incrementAndGet()));
    for (EveryCommand.Line line : EveryCommand.lines()) {
      if (ELSEWHERE.contains(line.path())) {
        continue;
      }
      Cli.Said said = run(columns, line.words(fill).toArray(String[]::new));
      assertThat(said.code()).as(line + said.err()).isEqualTo(line.exit());
      assertThat(said.out() + said.err()).as("%s", line).isNotBlank();
      assertThat(said.err() + (line.whole() ? said.out() : ""))
          .doesNotContain("CommandLine$", "Exception", "\tat dev.agentmemory");
    }
    Cli.Said wrong = run(columns, "nonsense");
    assertThat(wrong.code()).isEqualTo(ExitCodes.USAGE);
    assertThat(wrong.err()).contains("memory: ").doesNotContain("Exception");
  }

  @Test
  void rows_ofANarrowTerminal_keepToIt() {
    assertThat(run(20, "status").out().lines()).allMatch(line -> Columns.width(line) <= 20);
    assertThat(run(54, "status").out().lines()).allMatch(line -> Columns.width(line) <= 54);
  }

  @Test
  void width_thatIsNotTold_isThatOfEighty() {
    assertThat(run(0, "toc", "2026-01-12")).isEqualTo(run(80, "toc", "2026-01-12"));
    assertThat(run(0, "--help")).isEqualTo(run(80, "--help"));
  }

  private static Map<String, String> known() throws IOException {
    Path one = folder.resolve("one.jsonl");
    Files.writeString(
        one,
        "{\"session_id\":\"s\",\"timestamp\":\"2026-02-01T10:00:00Z\",\"text\":\"One more.\"}");
    Path bad = Files.writeString(folder.resolve("bad.jsonl"), "{\"session_id\":\"s\"}");
    return Map.of(
        "FILE",
        one.toString(),
        "BAD",
        bad.toString(),
        "BACKUPS",
        folder.resolve("backups").toString(),
        "GRIP",
        grip,
        "SEGMENT",
        segment);
  }

  private static String first(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    assertThat(matcher.find()).isTrue();
    return matcher.group();
  }

  private static Cli.Said run(int columns, String... args) {
    return new Cli(folder, Optional.of(columns), Map.of("NO_COLOR", "1")).run(args);
  }
}
