package dev.agentmemory.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.SessionId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Masks what was stored before there was a rule for it, in a packaged daemon.
class ScrubIT {

  private static final String SECRET = "Zorp_4f7Q9z2K8m1X6w3V";
  private static final String MASK = "[masked:zorp_key]";
  private static final SessionId SESSION = new SessionId("deploy");
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path folder;
  private Path data;
  private Path rules;
  private final List<Event> events = events();

  @BeforeEach
  void storeWithoutTheRule() throws IOException, InterruptedException {
    data = folder.resolve("data");
    rules =
        Files.writeString(
            folder.resolve("rules.txt"), "[formats]\nzorp_key zorp 'Zorp_' alnum:16\n");
    try (PackagedDaemon daemon = PackagedDaemon.start(data, "search.embeddings=none")) {
      assertThat(append(daemon.client)).allMatch(Receipt.Created.class::isInstance);
      var recall = daemon.client.recall();
      var _ = recall.memories().remember(MemoryDraft.of("The gateway wants " + SECRET + " now."));
      var _ = recall.conversations().scratchpads().write(SESSION, "k", "\"" + SECRET + "\"");
      daemon.awaitComplete();
      assertThat(said("search", "gateway")).contains(SECRET);
      assertThat(said("recall", "gateway")).contains(SECRET);
      assertThat(said("toc", "--depth", "6", "--grips")).contains(SECRET);
    }
    assertThat(filesWithTheSecret()).isNotEmpty();
  }

  private static List<Event> events() {
    List<Event> all = new ArrayList<>();
    Instant at = TestEvents.START;
    for (int i = 0; i < 40; i++) {
      String session = i % 2 == 0 ? "deploy" : "other";
      at = at.plusSeconds(60);
      all.add(
          TestEvents.message(
              session, at, "Step " + i + ": the gateway failed until I set " + SECRET + " there."));
      at = at.plusSeconds(5);
      all.add(TestEvents.answer(session, at, "I decided to rotate the key of step " + i + "."));
    }
    all.add(TestEvents.end("deploy", at.plusSeconds(1)));
    all.add(TestEvents.end("other", at.plusSeconds(2)));
    return all;
  }

  private List<Receipt> append(MemoryClient client) {
    return client.ingest().append(events).join();
  }

  private PackagedDaemon startWithTheRule() throws IOException, InterruptedException {
    return PackagedDaemon.start(
        data, "search.embeddings=none", "ingest.secret_rules=" + rules.toString());
  }

  @Test
  void secretsStoredBeforeTheirRule_areGoneFromAnswersAndFiles() throws Exception {
    try (PackagedDaemon daemon = startWithTheRule()) {
      JsonNode planned = scrub("--dry-run");
      assertThat(planned.path("dry_run").asBoolean()).isTrue();
      assertThat(planned.at("/workspaces/0/events").asInt()).isEqualTo(40);
      assertThat(planned.at("/workspaces/0/digests").asInt()).isPositive();
      assertThat(planned.at("/workspaces/0/memories").asInt()).isPositive();
      assertThat(planned.at("/workspaces/0/records").asInt()).isEqualTo(1);
      assertThat(planned.at("/workspaces/0/kinds/0/kind").asText()).isEqualTo("zorp_key");
      assertThat(said("events")).contains(SECRET);

      assertThat(said("scrub"))
          .contains("40 events", "zorp_key", "masked", "Backups were not changed");

      assertNoTrace(daemon);
      assertThat(said("scrub")).contains("nothing to mask").doesNotContain("Backups");
      assertThat(append(daemon.client)).allMatch(Receipt.AlreadyKnown.class::isInstance);
      daemon.awaitComplete();
      assertNoTrace(daemon);
      assertThat(said("jobs")).contains("secret_scrub");
    }
    assertThat(filesWithTheSecret()).isEmpty();
  }

  @Test
  void daemonKilledWhileItMasks_nextRunFinishes() throws Exception {
    PackagedDaemon first = startWithTheRule();
    try (first) {
      var run = CompletableFuture.supplyAsync(() -> run("scrub"));
      EventId last = events.get(78).id();
      first.await("a masked event", () -> isMasked(first.client, last));
      first.kill();
      var _ = run.join();
    }
    try (PackagedDaemon daemon = startWithTheRule()) {
      assertThat(said("status")).contains("memory scrub");
      var _ = scrub();
      assertNoTrace(daemon);
      assertThat(said("scrub")).contains("nothing to mask");
      assertThat(said("status")).doesNotContain("memory scrub");
    }
    assertThat(filesWithTheSecret()).isEmpty();
  }

  private static boolean isMasked(MemoryClient client, EventId id) {
    return client.events().event(id).filter(event -> event.text().contains(MASK)).isPresent();
  }

  private void assertNoTrace(PackagedDaemon daemon) throws IOException {
    assertThat(said("search", "gateway")).contains(MASK).doesNotContain(SECRET);
    assertThat(said("search", SECRET)).doesNotContain(SECRET + " there");
    assertThat(said("events", "--full")).contains(MASK).doesNotContain(SECRET);
    assertThat(said("sessions", "deploy")).doesNotContain(SECRET);
    assertThat(said("toc", "--depth", "6", "--grips")).doesNotContain(SECRET);
    assertThat(said("recall", "gateway")).contains(MASK).doesNotContain(SECRET);
    assertThat(said("scratchpad", "list", "deploy")).contains(MASK).doesNotContain(SECRET);
    assertThat(daemon.client.admin().verify(10)).isEmpty();
    assertThat(filesWithTheSecret()).isEmpty();
  }

  /// Without the output of the daemon and of commands, which have no stored text.
  private List<Path> filesWithTheSecret() throws IOException {
    List<String> forms = List.of(SECRET, SECRET.toLowerCase(Locale.ROOT), SECRET.substring(5));
    try (Stream<Path> files = Files.walk(data)) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> {
            String bytes = content(file).orElse("");
            return forms.stream().anyMatch(bytes::contains);
          })
          .toList();
    }
  }

  /// A file may be deleted meanwhile.
  private static Optional<String> content(Path file) {
    try {
      return Optional.of(Files.readString(file, StandardCharsets.ISO_8859_1));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private JsonNode scrub(String... options) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("scrub", "--json"));
    arguments.addAll(List.of(options));
    return JSON.readTree(said(arguments.toArray(String[]::new)));
  }

  private String said(String... arguments) {
    PackagedDaemon.Run run = run(arguments);
    assertThat(run.exit()).as(run.output()).isZero();
    return run.output();
  }

  private PackagedDaemon.Run run(String... arguments) {
    try {
      return PackagedDaemon.run(data, arguments);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
