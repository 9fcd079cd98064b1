package dev.agentmemory.daemon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.daemon.Daemon;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Every command on terminals of all widths; 0 is one that does not tell.
class TerminalTest {

  private static final Pattern GRIP = Pattern.compile("grip:\\d{13}:[0-9A-Z]{26}");
  private static final Pattern SEGMENT = Pattern.compile("seg:[0-9A-Z]{26}");

  @TempDir private static Path folder;

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
    assertThat(run(80, "ingest", sample.toString()).code()).isEqualTo(Exits.OK);
    assertThat(
            Patience.until(
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
    for (List<String> line : lines()) {
      Cli.Said said = run(columns, line.toArray(String[]::new));
      assertThat(said.code()).as(line + said.err()).isEqualTo(Exits.OK);
      assertThat(said.out() + said.err()).as("%s", line).isNotBlank();
      assertThat(said.out() + said.err()).doesNotContain("CommandLine$", "\tat dev.agentmemory");
    }
    for (String wrong : List.of("toc toc:day:1999-01-01", "nonsense", "toc --depth many")) {
      Cli.Said said = run(columns, wrong.split(" "));
      assertThat(said.code()).isIn(Exits.FAILED, Exits.USAGE);
      assertThat(said.err()).contains("memory: ").doesNotContain("Exception");
    }
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

  private static List<List<String>> lines() throws IOException {
    Path one = folder.resolve("one.jsonl");
    Files.writeString(
        one,
        "{\"session_id\":\"s\",\"timestamp\":\"2026-02-01T10:00:00Z\",\"text\":\"One more.\"}");
    return List.of(
        List.of("status"),
        List.of("ingest", one.toString()),
        List.of("toc"),
        List.of("toc", "--depth", "4", "--grips", "--events"),
        List.of("toc", "2026-01-12", "--versions"),
        List.of("toc", "2026-01-12", "--version", "1"),
        List.of("grip", grip),
        List.of("search", "jitter", "--explain"),
        List.of("ask-context", "jitter"),
        List.of("events", "--full"),
        List.of("events"),
        List.of("sessions"),
        List.of("sessions", "s"),
        List.of("segments"),
        List.of("segments", segment),
        List.of("workspaces"),
        List.of("jobs"),
        List.of("usage"),
        List.of("config", "show", "--no-user-config"),
        List.of("config", "check", "--no-user-config"),
        List.of("doctor"),
        List.of("completion", "bash"),
        List.of("completion", "fish"),
        List.of("--version"));
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
