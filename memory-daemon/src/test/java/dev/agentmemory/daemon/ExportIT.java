package dev.agentmemory.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.agentmemory.api.conversation.ConversationChange;
import dev.agentmemory.api.conversation.ConversationRef;
import dev.agentmemory.api.recall.MemoryContent;
import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.api.recall.MemoryPlace;
import dev.agentmemory.api.recall.MemoryUpdate;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.SessionId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `memory export` of a packaged daemon with two sessions that go on at the same time.
class ExportIT {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final SessionId PAYMENTS = new SessionId("payments-of-march");

  /// More than a page.
  private static final int TURNS = 600;

  private static final Pattern WORD = Pattern.compile("[A-Za-z]{5,}");

  /// Fields that people and agents fill.
  private static final Set<String> CONTENT =
      Set.of(
          "text",
          "title",
          "summary",
          "excerpt",
          "keywords",
          "cwd",
          "agent",
          "session_id",
          "session",
          "user",
          "value",
          "description");

  @TempDir private Path folder;

  private Path data() {
    return folder.resolve("data");
  }

  private List<Event> fill(PackagedDaemon daemon) throws IOException, InterruptedException {
    List<Event> events = new ArrayList<>();
    Instant time = TestEvents.START;
    for (int i = 0; i < TURNS; i++) {
      time = time.plusSeconds(20);
      boolean own = i % 4 != 0;
      String text =
          own
              ? "We decided to refund declined cards within " + i + " days."
              : "Zebras wander through turn " + i + " of the savannah.";
      Event event = TestEvents.message(own ? PAYMENTS.value() : "zoo", time, text);
      events.add(
          TestEvents.from(
              event, own ? "cashier" : "keeper", Map.of("cwd", own ? "/billing" : "/enclosure")));
    }
    daemon.client.ingest().append(events).join();
    daemon.awaitComplete();
    var recall = daemon.client.recall();
    var _ =
        recall
            .conversations()
            .change(ConversationRef.of(PAYMENTS), ConversationChange.ofUser("Gwendolyn"));
    var _ = recall.conversations().scratchpads().write(PAYMENTS, "ledger", "\"overdrawn\"");
    MemoryId kept =
        recall
            .memories()
            .remember(
                MemoryDraft.builder(MemoryContent.of("Refunds need a supervisor."))
                    .place(MemoryPlace.conversation(PAYMENTS))
                    .build())
            .id();
    var _ =
        recall
            .memories()
            .update(
                kept,
                MemoryUpdate.NONE.withContent(MemoryContent.of("Refunds need two supervisors.")));
    var _ = recall.memories().remember(MemoryDraft.of("Giraffes prefer acacia leaves."));
    return events;
  }

  private PackagedDaemon.Run export(Path file, String... options)
      throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>(List.of("export", "--output", file.toString()));
    arguments.addAll(List.of(options));
    return PackagedDaemon.run(data(), arguments.toArray(String[]::new));
  }

  private static List<JsonNode> lines(Path file) throws IOException {
    List<JsonNode> lines = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      lines.add(JSON.readTree(line));
    }
    return lines;
  }

  private static List<JsonNode> of(List<JsonNode> lines, String kind) {
    return lines.stream().filter(line -> line.path("kind").asText().equals(kind)).toList();
  }

  private static void assertCounted(List<JsonNode> lines) {
    JsonNode end = lines.getLast();
    assertThat(end.path("kind").asText()).isEqualTo("end");
    assertThat(end.path("complete").asBoolean()).isTrue();
    Map<String, Long> counted =
        lines.subList(1, lines.size() - 1).stream()
            .collect(
                Collectors.groupingBy(line -> line.path("kind").asText(), Collectors.counting()));
    assertThat(JSON.<JsonNode>valueToTree(counted)).isEqualTo(widened(end.path("counts")));
  }

  private static JsonNode widened(JsonNode counts) {
    Map<String, Long> numbers =
        counts.properties().stream()
            .collect(Collectors.toMap(Map.Entry::getKey, entry -> entry.getValue().asLong()));
    return JSON.valueToTree(numbers);
  }

  @Test
  void export_ofASession_hasAllOfIt_andNothingOfAnother_andRedactedNoWord() throws Exception {
    try (PackagedDaemon daemon = PackagedDaemon.start(data(), "search.embeddings=none")) {
      List<Event> events = fill(daemon);
      Path file = folder.resolve("session.jsonl");
      PackagedDaemon.Run run = export(file, "--session", PAYMENTS.value());
      assertThat(run.exit()).as(run.output()).isZero();
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
          .isEqualTo("rw-------");
      List<JsonNode> lines = lines(file);
      assertCounted(lines);
      assertThat(of(lines, "event"))
          .extracting(line -> line.path("event_id").asText())
          .isEqualTo(
              events.stream()
                  .filter(event -> event.session().equals(PAYMENTS))
                  .map(event -> event.id().value())
                  .toList());
      assertThat(of(lines, "segment")).isNotEmpty();
      assertThat(of(lines, "grip")).isNotEmpty();
      assertThat(of(lines, "node"))
          .extracting(line -> line.path("level").asText())
          .contains("segment", "day", "year");
      assertThat(of(lines, "conversation").getFirst().at("/entry/user").asText())
          .isEqualTo("Gwendolyn");
      String text = Files.readString(file);
      assertThat(text)
          .contains("two supervisors", "a supervisor", "overdrawn", "/billing")
          .doesNotContain("Zebras", "zoo", "keeper", "enclosure", "Giraffes");

      assertEntriesAreKnown(lines);
      assertThat(export(file, "--session", PAYMENTS.value()).output()).contains("--force");
      assertThat(Files.readString(file)).isEqualTo(text);

      assertRedacted(text, lines);
      assertOthers();
    }
  }

  /// What `memory memories export` writes is in the lines, and can still be imported.
  private void assertEntriesAreKnown(List<JsonNode> lines)
      throws IOException, InterruptedException {
    List<String> entries =
        lines.stream()
            .filter(line -> line.has("entry"))
            .map(line -> line.path("entry").toString())
            .toList();
    assertThat(entries).isNotEmpty();
    Path file = Files.write(folder.resolve("entries.jsonl"), entries);
    PackagedDaemon.Run imported = PackagedDaemon.run(data(), "memories", "import", file.toString());
    assertThat(imported.exit()).as(imported.output()).isZero();
    assertThat(imported.output()).contains("0 imported, " + entries.size() + " known");
  }

  private void assertRedacted(String original, List<JsonNode> lines)
      throws IOException, InterruptedException {
    Path file = folder.resolve("redacted.jsonl");
    PackagedDaemon.Run run = export(file, "--session", PAYMENTS.value(), "--redact", "--force");
    assertThat(run.exit()).as(run.output()).isZero();
    List<JsonNode> redacted = lines(file);
    assertCounted(redacted);
    assertThat(redacted.getLast()).isEqualTo(lines.getLast());
    Set<String> words = words(original);
    assertThat(words).contains("refund", "declined", "Gwendolyn", "cashier", "supervisor");
    String left = Files.readString(file);
    assertThat(words).noneMatch(left::contains);
    assertThat(left).doesNotContain(PAYMENTS.value());
  }

  /// The words of all fields that others fill.
  private static Set<String> words(String text) throws JsonProcessingException {
    Set<String> found = new HashSet<>();
    for (String line : text.lines().toList()) {
      collect(JSON.readTree(line), "kind", found);
    }
    return found;
  }

  private static void collect(JsonNode node, String field, Set<String> found) {
    if (node.isTextual() && CONTENT.contains(field)) {
      WORD.matcher(node.asText()).results().forEach(match -> found.add(match.group()));
    } else if (node.isArray()) {
      node.forEach(child -> collect(child, field, found));
    } else {
      node.properties().forEach(entry -> collect(entry.getValue(), entry.getKey(), found));
    }
  }

  private void assertOthers() throws IOException, InterruptedException {
    Path file = folder.resolve("agent.jsonl");
    assertThat(export(file, "--agent", "keeper").exit()).isZero();
    assertThat(of(lines(file), "event")).hasSize(TURNS / 4);
    assertThat(Files.readString(file)).doesNotContain("refund", "supervisor");
    assertThat(export(file, "--user", "Gwendolyn", "--force").exit()).isZero();
    assertThat(of(lines(file), "event")).hasSize(TURNS - TURNS / 4);
    assertThat(export(file, "--force").exit()).isZero();
    assertThat(of(lines(file), "event")).hasSize(TURNS);
    assertCounted(lines(file));
    assertThat(export(folder.resolve("none"), "--user", "nobody").exit()).isEqualTo(1);
    assertThat(folder.resolve("none")).doesNotExist();
  }

  @Test
  void export_whoseReaderGoesAway_fails_andOneOfADamagedStoreSaysSo() throws Exception {
    try (PackagedDaemon daemon = PackagedDaemon.start(data(), "search.embeddings=none")) {
      fill(daemon);
      daemon.client.jobs().run("compaction");
      Path program =
          Path.of(System.getProperty("agentmemory.dist", "target/agent-memory"), "bin/memory");
      Process cut =
          new ProcessBuilder(
                  "bash",
                  "-c",
                  "set -o pipefail; \"$0\" export --data \"$1\" | head -c 1000",
                  program.toString(),
                  data().toString())
              .redirectOutput(folder.resolve("cut.jsonl").toFile())
              .start();
      assertThat(cut.waitFor()).isEqualTo(1);
      assertThat(Files.readString(folder.resolve("cut.jsonl")))
          .startsWith("{\"kind\":\"export\"")
          .doesNotContain("\"kind\":\"end\"");
    }
    DamagedTables.damage(data().resolve("db/default"), "grips");
    try (PackagedDaemon daemon = PackagedDaemon.start(data(), "search.embeddings=none")) {
      Path file = folder.resolve("damaged.jsonl");
      PackagedDaemon.Run run = export(file);
      assertThat(run.exit()).as(run.output()).isEqualTo(1);
      assertThat(run.output()).contains("incomplete", "memory doctor --deep");
      List<JsonNode> lines = lines(file);
      assertThat(of(lines, "event")).hasSize(TURNS);
      assertThat(of(lines, "damaged")).isNotEmpty();
      assertThat(lines.getLast().path("complete").asBoolean()).isFalse();
      assertThat(daemon.client.serving()).isTrue();
    }
  }
}
