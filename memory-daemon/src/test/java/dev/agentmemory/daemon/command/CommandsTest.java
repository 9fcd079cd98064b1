package dev.agentmemory.daemon.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.cli.process.Polling;
import dev.agentmemory.cli.terminal.ExitCodes;
import dev.agentmemory.daemon.Daemon;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Commands against a real daemon in this process.
class CommandsTest {

  private static final String GOOD =
      """
      {"session_id":"s1","timestamp":"2026-01-30T14:30:00Z","text":"We decided to retry four times with full jitter."}
      {"session_id":"s1","timestamp":"2026-01-30T14:31:00Z","event_type":"session_end"}
      """;

  @TempDir private Path folder;

  @Test
  void ingest_sameFileTwice_changesNothing() throws IOException {
    Path file = write(GOOD);
    try (Daemon daemon = daemon()) {
      assertThat(daemon.port()).isPositive();
      assertThat(run("ingest", file.toString()))
          .isEqualTo(new Cli.Said(0, "2 stored, 0 known, 0 refused\n", ""));
      assertThat(run("ingest", file.toString()))
          .isEqualTo(new Cli.Said(0, "0 stored, 2 known, 0 refused\n", ""));
    }
  }

  @Test
  void ingest_refusedByTheDaemon_namesTheLine() throws IOException {
    Path file =
        write(
            GOOD
                + "\n{\"session_id\":\"s\",\"timestamp\":\"2200-01-01T00:00:00Z\",\"text\":\"x\"}");
    try (Daemon daemon = daemon()) {
      assertThat(daemon.port()).isPositive();
      Cli.Said said = run("ingest", file.toString());

      assertThat(said.out()).isEqualTo("2 stored, 0 known, 1 refused\n");
      assertThat(said.err()).startsWith("memory: line 4: event.timestamp_ms");
    }
  }

  @Test
  void tocAndGrip_afterIngest_leadFromTheTreeToTheWords() throws Exception {
    Path file = write(GOOD);
    try (Daemon daemon = daemon()) {
      assertThat(daemon.port()).isPositive();
      run("ingest", file.toString());
      Pattern grips = Pattern.compile("grip:\\d{13}:[0-9A-Z]{26}");
      assertThat(
              Polling.until(
                  Duration.ofSeconds(30),
                  () -> grips.matcher(run("toc", "toc:day:2026-01-30", "--grips").out()).find()))
          .isTrue();
      Cli.Said toc = run("toc", "toc:day:2026-01-30", "--grips", "--events");
      assertThat(toc.out())
          .contains("Friday, January 30, 2026", "full jitter", "2 events, session s1");

      Matcher grip = grips.matcher(toc.out());
      assertThat(grip.find()).isTrue();
      assertThat(run("grip", grip.group()).out()).contains("“We decided to retry four times");
    }
  }

  @Test
  void events_ofADay_listsThemInOrder() throws IOException {
    Path file = write(GOOD);
    try (Daemon daemon = daemon()) {
      assertThat(daemon.port()).isPositive();
      run("ingest", file.toString());

      assertThat(run("events", "--from", "2026-01-30", "--to", "2026-01-30").out().lines())
          .containsExactly(
              "2026-01-30 14:30:00  user      We decided to retry four times with full jitter.",
              "2026-01-30 14:31:00  -         (session end)");
      assertThat(run("events", "--session", "other").out()).isEmpty();
    }
  }

  @Test
  void jobs_pauseAndResume_areShown() {
    try (Daemon daemon = daemon()) {
      assertThat(daemon.port()).isPositive();
      assertThat(run("jobs", "pause", "compaction").code()).isEqualTo(ExitCodes.OK);
      assertThat(run("jobs").out()).containsPattern("compaction +paused");
      assertThat(run("jobs", "resume", "compaction").code()).isEqualTo(ExitCodes.OK);
      assertThat(run("jobs").out()).doesNotContain("paused");
      assertThat(run("jobs", "run", "nope").code()).isEqualTo(ExitCodes.FAILED);
    }
  }

  @Test
  void anyCommand_noDaemon_exitsWithThreeAndARemedy() {
    Cli.Said said = run("toc");

    assertThat(said.code()).isEqualTo(ExitCodes.UNREACHABLE);
    assertThat(said.out()).isEmpty();
    assertThat(said.err()).startsWith("memory: no daemon runs on").contains("memory start");
  }

  @Test
  void anyCommand_wrongUsage_exitsWithTwo() {
    assertThat(run("bogus").code()).isEqualTo(ExitCodes.USAGE);
    assertThat(run("toc", "--depth", "many").code()).isEqualTo(ExitCodes.USAGE);
    assertThat(run("start", "--set", "toc.zon=UTC").err()).contains("did you mean toc.zone?");
    assertThat(run("start", "--set", "toc.zon=UTC").code()).isEqualTo(ExitCodes.USAGE);
    assertThat(run().code()).isEqualTo(ExitCodes.USAGE);
  }

  @Test
  void startForeground_settings_reachTheDaemon() {
    List<Integer> ports = new ArrayList<>();
    Cli.Said said =
        new Cli(folder)
            .run(
                (config, _) -> ports.add(config.port()), "start", "--foreground", "--port", "1234");

    assertThat(said).isEqualTo(new Cli.Said(0, "", ""));
    assertThat(ports).containsExactly(1234);
  }

  @Test
  void help_ofEveryCommand_isThere() {
    for (String command :
        List.of(
            "demo",
            "start",
            "stop",
            "status",
            "ingest",
            "toc",
            "grip",
            "search",
            "ask-context",
            "events",
            "sessions",
            "segments",
            "workspaces",
            "jobs",
            "rebuild",
            "usage",
            "migrate",
            "scrub",
            "forget",
            "config",
            "doctor",
            "completion")) {
      Cli.Said said = run(command, "--help");
      assertThat(said.code()).isEqualTo(ExitCodes.OK);
      assertThat(said.out()).startsWith("Usage: memory " + command).contains("--data");
    }
  }

  private Cli.Said run(String... args) {
    return new Cli(folder).run(args);
  }

  private Daemon daemon() {
    return new Cli(folder).daemon();
  }

  private Path write(String lines) throws IOException {
    return new Cli(folder).write(lines);
  }
}
