package dev.agentmemory.daemon.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.agentmemory.cli.process.Polling;
import dev.agentmemory.cli.terminal.ExitCodes;
import dev.agentmemory.client.Endpoint;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.daemon.Daemon;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Every command's JSON, read back, from a real daemon with one small session.
@Tag("slow")
class JsonAnswersTest {

  private static final String EVENTS =
      """
      {"session_id":"s1","timestamp_ms":1769783400000,"text":"We decided to retry four times with full jitter.","agent":"claude","metadata":{"tool":"x"}}
      {"session_id":"s1","timestamp_ms":1769783460000,"event_type":"session_end"}
      """;

  @TempDir private Path folder;

  private Cli cli;
  private Daemon daemon;

  @BeforeEach
  void start() throws Exception {
    cli = new Cli(folder);
    daemon = cli.daemon("toc.zone=Europe/Paris");
    JsonNode stored = json("ingest", cli.write(EVENTS).toString());
    assertThat(stored).hasToString(counts(2, 0));
    awaitComplete();
  }

  private static String counts(int stored, int known) {
    return "{\"stored\":"
        + stored
        + ",\"known\":"
        + known
        + ",\"refused\":0,\"unacknowledged\":0,\"complete\":true,\"refusals\":[],"
        + "\"unknown_fields\":[]}";
  }

  private void awaitComplete() throws InterruptedException {
    try (var client = MemoryClient.connect(Endpoint.find(cli.data()))) {
      assertThat(Polling.until(Duration.ofSeconds(30), () -> client.admin().status().tocComplete()))
          .isTrue();
    }
  }

  @AfterEach
  void stop() {
    daemon.close();
  }

  @Test
  void events_json_isWhatIngestTakes() throws IOException {
    Cli.Said said = cli.run("events", "--json");
    assertThat(said.out().lines()).hasSize(2);
    assertThat(names(parse(said.out().lines().findFirst().orElseThrow())))
        .containsExactly(
            "event_id",
            "session_id",
            "timestamp_ms",
            "event_type",
            "role",
            "text",
            "metadata",
            "agent",
            "position");
    assertThat(json("ingest", cli.write(said.out()).toString())).hasToString(counts(0, 2));
  }

  @Test
  void toc_tree_leadsToGripAndSegment() {
    JsonNode day = json("toc", "2026-01-30", "--events").get("nodes").get(0);
    assertThat(day.get("node_id").asText()).isEqualTo("toc:day:2026-01-30");
    JsonNode segment = day.get("children").get(0);
    assertThat(segment.get("events")).hasSize(2);
    assertThat(day.get("child_ids").get(0)).isEqualTo(segment.get("node_id"));

    JsonNode bullet = segment.get("bullets").get(0);
    JsonNode grip = json("grip", bullet.get("grip_ids").get(0).asText());
    assertThat(grip.get("excerpt").asText()).contains("full jitter");
    assertThat(grip.get("excerpt_events")).hasSize(1);
    assertThat(grip.get("events_after")).hasSize(1);

    JsonNode found = json("segments", segment.get("node_id").asText());
    assertThat(found.get("events")).hasSize(2);
    assertThat(found.get("boundary").asText()).isEqualTo("session_end");
    assertThat(json("segments", found.get("segment_id").asText())).isEqualTo(found);
  }

  @Test
  void toc_prose_isInTheTreeAsInTheJson() {
    JsonNode day = json("toc", "2026-01-30").get("nodes").get(0);
    String prose = day.get("summary").asText();
    assertThat(prose).isNotEmpty();
    assertThat(cli.run("toc", "2026-01-30").out().lines().map(String::strip))
        .anyMatch(line -> line.replaceFirst("^│ ", "").equals(prose));
  }

  @Test
  void sessions_listAndOne_haveStateTimesAndCounts() {
    JsonNode listed = json("sessions").get("sessions").get(0);
    assertThat(listed.get("session_id").asText()).isEqualTo("s1");
    assertThat(listed.get("state").asText()).isEqualTo("ended");
    assertThat(listed.get("agent").asText()).isEqualTo("claude");
    assertThat(listed.get("events").asLong()).isEqualTo(2);
    assertThat(listed.get("end_time_ms").asLong()).isEqualTo(1769783460000L);
    assertThat(json("sessions", "s1").get("segments")).hasSize(1);
    assertThat(json("sessions", "--from", "2026-01-31").get("sessions")).isEmpty();
    assertThat(json("sessions", "--to", "2026-01").get("sessions")).hasSize(1);
  }

  @Test
  void segments_byTimeAndSession_areTheSame() {
    JsonNode byTime = json("segments", "--from", "2026-01-30", "--to", "2026-01-30");
    assertThat(byTime.get("segments")).hasSize(1);
    assertThat(byTime.get("more").asBoolean()).isFalse();
    assertThat(json("segments", "--session", "s1")).isEqualTo(byTime);
    assertThat(json("segments", "--from", "2026-01-30T15:31").get("segments")).isEmpty();
    assertThat(json("segments", "--to", "2026-01-30T15:30").get("segments")).isEmpty();
  }

  @Test
  void versions_andRevert_areTold() {
    String day = "2026-01-30";
    JsonNode versions = json("toc", day, "--versions").get("versions");
    int latest = versions.get(0).get("version").asInt();
    JsonNode shown = json("toc", day, "--version", Integer.toString(latest));
    assertThat(shown.get("title").asText()).isEqualTo("Friday, January 30, 2026");
    assertThat(shown.get("reverted_to").isNull()).isTrue();
    JsonNode same = json("toc", day, "--revert", Integer.toString(latest));
    assertThat(same.get("changed").asBoolean()).isFalse();
    Cli.Said missing = cli.run("toc", day, "--version", "99");
    assertThat(missing.code()).isEqualTo(ExitCodes.FAILED);
    assertThat(missing.err()).contains("has no version 99; it has " + latest);
  }

  @Test
  void revert_afterASecondSession_bringsTheOldWordsBack() throws Exception {
    JsonNode first = json("toc", "2026-01-30", "--version", "1");
    json("ingest", cli.write(EVENTS.replace("s1", "s2").replace("retry", "never")).toString());
    awaitComplete();
    int latest =
        json("toc", "2026-01-30", "--depth", "0").get("nodes").get(0).get("version").asInt();
    assertThat(latest).isGreaterThan(1);

    JsonNode reverted = json("toc", "2026-01-30", "--revert", "1");

    assertThat(reverted.get("changed").asBoolean()).isTrue();
    assertThat(reverted.get("version").asInt()).isEqualTo(latest + 1);
    assertThat(reverted.get("bullets")).isEqualTo(first.get("bullets"));
    assertThat(cli.run("toc", "2026-01-30", "--versions").out()).contains("reverted to 1");
    awaitComplete();
    assertThat(json("toc", "2026-01-30", "--depth", "0").get("nodes").get(0).get("reverted_to"))
        .hasToString("1");
    try (var client = MemoryClient.connect(Endpoint.find(cli.data()))) {
      assertThat(client.admin().verify(10)).isEmpty();
    }
  }

  @Test
  void rebuildUsageJobs_areObjects() {
    assertThat(json("rebuild", "toc")).hasToString("{\"sessions\":1,\"segments\":1}");
    JsonNode usage = json("usage");
    assertThat(usage.get("events").asLong()).isEqualTo(2);
    assertThat(usage.get("sessions").asLong()).isEqualTo(1);
    assertThat(usage.get("nodes").asLong()).isEqualTo(5);
    assertThat(usage.get("grips").asLong()).isPositive();
    assertThat(usage.get("tables").findValuesAsText("table")).contains("events", "grips");
    assertThat(usage.get("model_calls")).isEmpty();
    assertThat(cli.run("usage").out()).containsPattern("calls to models +none in 30 days");
    assertThat(json("jobs").get("jobs").findValuesAsText("name")).contains("compaction");
    assertThat(json("jobs", "pause", "compaction").get("paused").asBoolean()).isTrue();
    assertThat(json("jobs", "resume", "compaction").get("paused").asBoolean()).isFalse();
    assertThat(json("jobs", "run", "outbox_trim").get("job").asText()).isEqualTo("outbox_trim");
  }

  private JsonNode json(String... args) {
    List<String> all = new ArrayList<>(List.of(args));
    all.add("--json");
    Cli.Said said = cli.run(all.toArray(String[]::new));
    assertThat(said.err()).isEmpty();
    assertThat(said.code()).isZero();
    return parse(said.out());
  }

  private static JsonNode parse(String text) {
    try {
      return new JsonMapper().readTree(text);
    } catch (JsonProcessingException e) {
      throw new AssertionError(text, e);
    }
  }

  private static List<String> names(JsonNode node) {
    List<String> names = new ArrayList<>();
    node.fieldNames().forEachRemaining(names::add);
    return names;
  }
}
