package dev.agentmemory.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.store.Finding;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.NodeId;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Flipped bytes in the files of a packaged daemon: it starts, tells, takes events and makes a
/// table of contents of them.
class DamageIT {

  @TempDir private Path root;

  @ParameterizedTest
  @ValueSource(strings = {"events", "sessions", "conversations", "outbox", "grips", "checkpoints"})
  void tableDamaged_newEventsGetTheirPlaceInTheContents(String table) throws Exception {
    Path data = root.resolve("data");
    fill(data);
    damage(data, table);
    try (PackagedDaemon daemon = PackagedDaemon.start(data)) {
      Event fresh =
          TestEvents.message(
              "fresh", TestEvents.START.plusSeconds(400_000), "Fresh words go their usual way.");
      daemon.client.ingest().append(fresh);
      NodeId day = NodeId.parse("toc:day:2026-02-04").orElseThrow();
      daemon.await(
          "the new day",
          () ->
              daemon
                  .client
                  .contents()
                  .node(day)
                  .filter(node -> !node.bullets().isEmpty())
                  .isPresent());
      assertThat(
              daemon
                  .client
                  .events()
                  .between(fresh.timestamp(), fresh.timestamp().plusMillis(1), PageRequest.of(10))
                  .items())
          .containsExactly(fresh);
      assertThat(daemon.client.serving()).isTrue();
      assertThat(daemon.client.admin().verify(1000))
          .filteredOn(finding -> finding.problem().startsWith("cannot be read"))
          .extracting(Finding::table)
          .contains(table);
    }
  }

  /// Reading the search index loads a library that likes to talk.
  @Test
  void offlineChecks_soundStores_printTheirAnswersAndNothingElse() throws Exception {
    Path data = root.resolve("data");
    fill(data);
    assertThat(data.resolve("index").resolve("default")).isDirectory();
    for (String check : List.of("doctor --deep", "recover")) {
      String[] words = (check + " --json --no-user-config").split(" ", -1);
      PackagedDaemon.Run said = PackagedDaemon.run(data, words);
      assertThat(said.exit()).as(said.output()).isZero();
      assertThat(said.output()).startsWith("{");
    }
  }

  @Test
  void doctor_eventsDamaged_tellsTableKeyFaultAndRemedy() throws Exception {
    Path data = root.resolve("data");
    fill(data);
    damage(data, "events");
    try (PackagedDaemon daemon = PackagedDaemon.start(data)) {
      PackagedDaemon.Run doctor = PackagedDaemon.run(data, "doctor");
      assertThat(doctor.exit()).isEqualTo(1);
      assertThat(doctor.output().replaceAll("\\s+", " "))
          .contains("events rows between", "checksum", "restore a backup")
          .doesNotContain("\tat ");
      assertThat(daemon.client.serving()).isTrue();
    }
  }

  @Test
  void events_eventsDamaged_areListedWithWhatIsMissing() throws Exception {
    Path data = root.resolve("data");
    fill(data);
    damage(data, "events");
    try (PackagedDaemon daemon = PackagedDaemon.start(data)) {
      Event fresh =
          TestEvents.message(
              "fresh", TestEvents.START.plusSeconds(400_000), "Rows of intact files are found.");
      daemon.client.ingest().append(fresh);
      String[] list = {"events", "--from", "2026-01-01", "--to", "2027-01-01", "--limit", "1000"};
      PackagedDaemon.Run shown = PackagedDaemon.run(data, list);
      assertThat(shown.exit()).isZero();
      assertThat(shown.output())
          .contains("Rows of intact files are found", "the answer is incomplete", "checksum");
      PackagedDaemon.Run json =
          PackagedDaemon.run(
              data, Stream.concat(Stream.of(list), Stream.of("--json")).toArray(String[]::new));
      assertThat(json.output().lines())
          .anyMatch(line -> line.contains(fresh.id().value()))
          .anyMatch(line -> line.startsWith("{\"damaged\":[{\"table\":\"events\""));
      assertThat(PackagedDaemon.run(data, "status").output().replaceAll("\\s+", " "))
          .contains("cannot be read", "checksum mismatch", "memory doctor --deep");
      assertThat(daemon.client.admin().status().problems())
          .singleElement()
          .asString()
          .contains("events");
      assertThat(daemon.client.serving()).isTrue();
    }
  }

  @Test
  void scrub_tableDamaged_findsItBeforeAnybodyAsks() throws Exception {
    Path data = root.resolve("data");
    fill(data);
    damage(data, "grips");
    try (PackagedDaemon daemon = PackagedDaemon.start(data)) {
      assertThat(daemon.client.jobs().run("scrub"))
          .containsEntry("damaged", "1")
          .hasEntrySatisfying("damaged_1", told -> assertThat(told).startsWith("grips "));
      assertThat(daemon.client.admin().status().problems())
          .singleElement()
          .asString()
          .contains("grips");
    }
  }

  private static void fill(Path data) throws Exception {
    try (PackagedDaemon daemon = PackagedDaemon.start(data)) {
      for (int i = 0; i < 40; i++) {
        daemon
            .client
            .ingest()
            .append(
                TestEvents.message(
                    "s" + i % 4,
                    TestEvents.START.plusSeconds(60L * i),
                    "The client number "
                        + i
                        + " retries declined cards, which charges guests twice."));
      }
      daemon.awaitComplete();
      daemon.client.jobs().run("compaction");
    }
  }

  private static void damage(Path data, String table) throws Exception {
    DamagedTables.damage(data.resolve("db/default"), table);
  }
}
