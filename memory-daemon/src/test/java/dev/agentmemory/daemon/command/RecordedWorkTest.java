package dev.agentmemory.daemon.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.cli.process.Polling;
import dev.agentmemory.cli.terminal.ExitCodes;
import dev.agentmemory.daemon.Daemon;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The commands for people who look at what agents did, against a real daemon in this process.
@Tag("slow")
class RecordedWorkTest {

  private static final Pattern GRIP = Pattern.compile("grip:\\d{13}:[0-9A-Z]{26}");
  private static final Pattern SEGMENT = Pattern.compile("toc:segment:[0-9-]{10}:[0-9A-Z]{26}");

  @TempDir private Path folder;

  private Cli.Said run(String... args) {
    return new Cli(folder).run(args);
  }

  /// A session of yesterday: two decisions and a question.
  private void ingest() throws IOException, InterruptedException {
    Instant at = Instant.now().truncatedTo(ChronoUnit.DAYS).minus(Duration.ofHours(10));
    String lines =
        """
        {"session_id":"s1","timestamp":"%s","text":"How do we retry requests to the payment service?"}
        {"session_id":"s1","timestamp":"%s","event_type":"assistant_message","text":"We decided to retry four times with full jitter, because the payment service rate limits bursts."}
        {"session_id":"s1","timestamp":"%s","text":"We decided to keep the timeout of the payment service at nine seconds."}
        {"session_id":"s1","timestamp":"%s","event_type":"session_end"}
        """
            .formatted(at, at.plusSeconds(60), at.plusSeconds(120), at.plusSeconds(180));
    Path file = Files.writeString(folder.resolve("events.jsonl"), lines);
    assertThat(run("ingest", file.toString()).out()).startsWith("4 stored");
    assertThat(
            Polling.until(
                Duration.ofSeconds(30),
                () ->
                    GRIP.matcher(run("yesterday").out()).find()
                        && run("why", "full jitter").out().startsWith("•")))
        .isTrue();
  }

  @Test
  void daysTailAndWhy_leadToTheWords() throws Exception {
    try (Daemon daemon = new Cli(folder).daemon()) {
      assertThat(daemon.port()).isPositive();
      ingest();
      dayIsShown_withCitations();
      tailIsTheNewestEvents_inOrder();
      whyLeadsFromAStatementToItsTurns();
    }
  }

  private void dayIsShown_withCitations() {
    String day = run("yesterday").out();
    assertThat(day).contains("14:00").contains("full jitter");
    assertThat(run("today").out()).isEqualTo("nothing was recorded today in this workspace\n");
    assertThat(run("yesterday", "--json").out()).contains("\"grip_ids\"").contains("full jitter");
  }

  private void tailIsTheNewestEvents_inOrder() {
    assertThat(run("tail", "-n", "2").out().lines())
        .satisfiesExactly(
            line -> assertThat(line).contains("14:02:00").contains("the payment service"),
            line -> assertThat(line).contains("(session end)"));
    assertThat(run("tail", "--json").out().lines()).hasSize(4);
    assertThat(run("tail", "-n", "1001").code()).isEqualTo(ExitCodes.USAGE);
  }

  private void whyLeadsFromAStatementToItsTurns() {
    String why = run("why", "full", "jitter").out();
    assertThat(why).contains("full jitter").contains("the event").contains("How do we retry");
    Matcher grip = GRIP.matcher(why);
    assertThat(grip.find()).isTrue();
    assertThat(run("why", grip.group()).out()).startsWith("•").contains("full jitter");
    Matcher segment = SEGMENT.matcher(why);
    assertThat(segment.find()).isTrue();
    String all = run("why", segment.group(), "--limit", "20", "--json").out();
    assertThat(all).contains("nine seconds").contains("\"excerpt_events\"");
    assertThat(run("why", "grip:0000000000000:00000000000000000000000000").code())
        .isEqualTo(ExitCodes.FAILED);
    assertThat(run("why", "xylophone").out()).startsWith("no hits");
  }
}
