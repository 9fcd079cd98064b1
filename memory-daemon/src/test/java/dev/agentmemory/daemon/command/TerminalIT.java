package dev.agentmemory.daemon.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.cli.process.Polling;
import dev.agentmemory.cli.terminal.ExitCodes;
import dev.agentmemory.daemon.command.EveryCommand.Line;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The packaged program on a real terminal.
class TerminalIT {

  private static final Pattern GRIP = Pattern.compile("grip:\\d{13}:[0-9A-Z]{26}");
  private static final Pattern SEGMENT = Pattern.compile("seg:[0-9A-Z]{26}");
  private static final int WIDEST = 300;

  @TempDir private static Path folder;

  private static final AtomicInteger FRESH = new AtomicInteger();
  private static final Map<String, String> KNOWN = new HashMap<>();

  /// What all lines say on a wide terminal.
  private static List<Said> wide = List.of();

  @BeforeAll
  static void start() throws Exception {
    Path sample = folder.resolve("sample.jsonl");
    try (InputStream in =
        Objects.requireNonNull(TerminalIT.class.getResourceAsStream("/demo/events.jsonl"))) {
      Files.copy(in, sample);
    }
    Path bad = folder.resolve("bad.jsonl");
    Files.writeString(bad, "{\"session_id\":\"s\",\"timestamp_ms\":\"soon\",\"text\":\"bad\"}\n");
    Path one = folder.resolve("one.jsonl");
    Files.writeString(
        one,
        "{\"session_id\":\"s\",\"timestamp\":\"2026-02-01T10:00:00Z\",\"text\":\"One more.\"}");
    assertThat(plain("start", "--port", "0", "--set", "search.embeddings=none")).startsWith("0|");
    assertThat(plain("ingest", sample.toString())).startsWith("0|");
    assertThat(plain("ingest", one.toString())).startsWith("0|");
    assertThat(
            Polling.until(
                Duration.ofSeconds(60),
                () -> GRIP.matcher(plain("toc", "2026-01-12", "--grips")).find()))
        .isTrue();
    KNOWN.put("FILE", one.toString());
    KNOWN.put("BAD", bad.toString());
    KNOWN.put("BACKUPS", folder.resolve("backups").toString());
    KNOWN.put("GRIP", first(GRIP, plain("toc", "2026-01-12", "--grips")));
    KNOWN.put("SEGMENT", first(SEGMENT, plain("segments")));
  }

  @AfterAll
  static void stop() {
    plain("stop", "--force");
  }

  @Test
  void delete_answeredNo_deletesNothing() throws Exception {
    plain("workspaces", "create", "kept");
    for (String no : List.of("n\n", "\n", "what?\n", "")) {
      Pty.Said said = onTerminal(80, no, "workspaces delete kept");
      assertThat(said.code()).as(said.shown()).isEqualTo(ExitCodes.FAILED);
      assertThat(said.shown())
          .contains("delete workspace kept with 0 events? This cannot be undone. [y/N]")
          .contains("workspace kept was not changed");
    }
    assertThat(plain("workspaces")).contains("kept");
  }

  @Test
  void delete_answeredYes_deletes() throws Exception {
    plain("workspaces", "create", "gone");
    Pty.Said said = onTerminal(80, "yes\n", "workspaces delete gone");
    assertThat(said.code()).as(said.shown()).isEqualTo(ExitCodes.OK);
    assertThat(said.shown()).contains("[y/N]").contains("workspace gone is deleted, ");
    assertThat(plain("workspaces")).doesNotContain("gone");
  }

  /// A question that nobody sees, or an answer that nobody has typed, is none.
  @Test
  void delete_inputOrOutputIsNoTerminal_isRefusedAndNamesTheOption() throws Exception {
    plain("workspaces", "create", "safe");
    for (String pipe : List.of(" </dev/null", " | cat", " >/dev/null")) {
      Pty.Said said = onTerminal(300, "y\n", "workspaces delete safe" + pipe);
      assertThat(said.shown())
          .contains("memory: --yes: is required: there is no terminal on which to ask")
          .doesNotContain("[y/N]");
    }
    assertThat(plain("workspaces", "delete", "safe")).startsWith("2|memory: --yes: is required");
    assertThat(plain("workspaces")).contains("safe");
  }

  @Test
  void lines_thereAreSome_forEveryCommand() {
    assertThat(EveryCommand.unknown(new Cli(folder).commandLine())).isEmpty();
  }

  /// 0 is a terminal that does not tell its width.
  @Tag("long")
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 20, 54, 80})
  void everyCommand_atAnyWidth_endsAsItShould_andSaysWhatItSaysOnAWideOne(int columns)
      throws Exception {
    List<Said> narrow = onTerminal(columns);
    if (wide.isEmpty()) {
      wide = onTerminal(WIDEST);
    }
    for (int i = 0; i < EveryCommand.lines().size(); i++) {
      Line line = EveryCommand.lines().get(i);
      for (Said said : List.of(narrow.get(i), wide.get(i))) {
        assertThat(said.code()).as("%s: %s", line.text(), said.shown()).isEqualTo(line.exit());
        assertThat(said.shown())
            .as(line.text())
            .isNotBlank()
            .doesNotContain("\tat dev.agentmemory", "CommandLine$");
      }
      if (line.whole()) {
        assertThat(narrow.get(i).shown()).as(line.text()).doesNotContain("Exception");
        assertThat(letters(narrow.get(i))).as(line.text()).isEqualTo(letters(wide.get(i)));
      }
    }
  }

  /// What a command showed.
  private record Said(int code, String shown) {}

  /// Only the letters: lines end elsewhere, a word that is wider than the terminal goes on in the
  /// next line, and what begins with `memory: ` begins so again.
  private static String letters(Said said) {
    return said.shown()
        .replaceAll("\u001b\\[[0-9;]*[A-Za-z]|\r", "")
        .replaceAll("(?m)^memory: ", "")
        .replaceAll("[^\\p{L}]+", "");
  }

  /// All lines, one after the other on one terminal.
  private static List<Said> onTerminal(int columns) throws IOException, InterruptedException {
    Function<String, String> fill =
        EveryCommand.filling(KNOWN, _ -> folder.resolve("new" + FRESH.incrementAndGet()));
    String script =
        EveryCommand.lines().stream()
            .map(line -> command(line.words(fill)) + "; printf '\\036%d\\036' $?\n")
            .collect(Collectors.joining());
    String[] parts = Pty.run(folder, columns, "", script).shown().split("\u001e", -1);
    assertThat(parts).hasSize(2 * EveryCommand.lines().size() + 1);
    List<Said> said = new ArrayList<>();
    for (int i = 0; i + 1 < parts.length; i += 2) {
      said.add(new Said(Integer.parseInt(parts[i + 1]), parts[i]));
    }
    return said;
  }

  private static Pty.Said onTerminal(int columns, String typed, String line)
      throws IOException, InterruptedException {
    return Pty.run(folder, columns, typed, command(List.of(line)));
  }

  /// A line of a shell, whose last words may name another data directory.
  private static String command(List<String> words) {
    return "MEMORY_DATA='" + data() + "' '" + launcher() + "' " + String.join(" ", words);
  }

  private static Path data() {
    return folder.resolve("data");
  }

  private static Path launcher() {
    return Path.of(System.getProperty("agentmemory.dist"), "bin", "memory").toAbsolutePath();
  }

  private static String first(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    assertThat(matcher.find()).as(text).isTrue();
    return matcher.group();
  }

  /// Runs a command without a terminal; the answer is `exit code|output`.
  private static String plain(String... args) {
    try {
      List<String> command = new ArrayList<>(List.of(launcher().toString()));
      command.addAll(List.of(args));
      var builder = new ProcessBuilder(command).redirectErrorStream(true);
      builder.redirectInput(Path.of("/dev/null").toFile());
      builder.environment().put("MEMORY_DATA", data().toString());
      Process process = builder.start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      return process.exitValue() + "|" + said;
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
