package dev.agentmemory.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.testkit.bytes.ByteScanner;
import dev.agentmemory.testkit.bytes.ScanResult;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.SessionId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Forgets a session in a packaged daemon: no answer and no file has any of it, whatever is sent
/// again and whenever the daemon is killed.
class ForgetIT {

  /// Occurs in the session to forget only. It is its own stem.
  private static final String GONE = "zanzibarquux";

  /// Occurs in the other session.
  private static final String KEPT = "pangolinfoo";

  private static final String SESSION = "gone-session";
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path folder;
  private Path data;

  /// Questions and answers about a word, with a preference at the end.
  static List<Event> session(String name, Instant start, String word, int turns) {
    List<Event> all = new ArrayList<>();
    Instant at = start;
    for (int i = 0; i < turns; i++) {
      at = at.plusSeconds(60);
      all.add(
          TestEvents.message(
              name, at, "Step " + i + ": please find out why the " + word + " gateway fails."));
      all.add(
          TestEvents.answer(
              name,
              at.plusSeconds(5),
              "I decided to retry the " + word + " gateway of step " + i + " with backoff."));
    }
    all.add(
        TestEvents.message(
            name,
            at.plusSeconds(30),
            "I prefer exponential backoff for the " + word + " gateway."));
    all.add(TestEvents.end(name, at.plusSeconds(40)));
    return all;
  }

  private static List<Event> gone() {
    return session(SESSION, TestEvents.START, GONE, 60);
  }

  @BeforeEach
  void twoSessions() throws IOException, InterruptedException {
    data = folder.resolve("data");
    try (PackagedDaemon daemon = start()) {
      MemoryClient client = daemon.client;
      var _ = client.ingest().append(gone()).join();
      var _ =
          client
              .ingest()
              .append(session("other", TestEvents.START.plusSeconds(5), KEPT, 60))
              .join();
      var _ = client.recall().memories().remember(MemoryDraft.of("Feed the " + KEPT + " often."));
      var _ =
          client
              .recall()
              .conversations()
              .scratchpads()
              .write(new SessionId(SESSION), "k", "\"" + GONE + "\"");
      daemon.awaitComplete();
      daemon.await("a memory of it", () -> said("memories", "export").contains(GONE));
      assertThat(said("search", GONE)).contains(GONE);
      assertThat(said("toc", "--depth", "6", "--grips")).contains(GONE, KEPT);
    }
    ScanResult before = ByteScanner.scan(List.of(GONE), data);
    assertThat(before.count(GONE)).isPositive();
  }

  private PackagedDaemon start() throws IOException, InterruptedException {
    return PackagedDaemon.start(data, "search.embeddings=none");
  }

  private JsonNode forget(String... options) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("forget", "--json"));
    arguments.addAll(List.of(options));
    return JSON.readTree(said(arguments.toArray(String[]::new)));
  }

  @Test
  void session_isGoneFromAnswersAndFiles_andDoesNotComeBack() throws Exception {
    try (PackagedDaemon daemon = start()) {
      JsonNode planned = forget("--session", SESSION, "--dry-run");
      assertThat(planned.path("erased").asBoolean()).isFalse();
      assertThat(planned.path("events").asInt()).isEqualTo(gone().size());
      assertThat(said("events", "--full")).contains(GONE);

      JsonNode receipt = forget("--session", SESSION, "--reason", "asked for", "--yes");

      assertThat(receipt.path("erased").asBoolean()).isTrue();
      assertThat(receipt.path("pending").asBoolean()).isFalse();
      assertThat(receipt.path("memories").asInt()).isPositive();
      assertNoTrace(daemon);

      assertThat(daemon.client.ingest().append(gone()).join())
          .allMatch(Receipt.Erased.class::isInstance);
      List<Event> laundered =
          gone().stream()
              .filter(event -> event.text().contains(GONE))
              .map(event ->
                  TestEvents.from(
                      TestEvents.withText(
                          TestEvents.withId(
                              event, TestEvents.id(event.timestamp().plusMillis(1), 77)),
                          "  " + event.text().toUpperCase(Locale.ROOT) + "\n"),
                      "another-agent",
                      Map.of()))
              .toList();
      assertThat(daemon.client.ingest().append(laundered).join())
          .allMatch(Receipt.Erased.class::isInstance);
      assertThat(said("status")).contains("erased");
      var _ = said("rebuild", "toc");
      var _ = said("rebuild", "index");
      daemon.awaitComplete();
      assertNoTrace(daemon);
      assertThat(said("forget", "--session", SESSION, "--yes")).contains("nothing to erase");
    }
    assertNoBytes();
  }

  private Path hook(String name, String session, String rest) throws IOException {
    Path file = Files.createDirectories(data.resolve("spool/rejected")).resolve(name);
    return Files.writeString(
        file,
        "memory-hook 1\nagent=claude-code\nevent=UserPromptSubmit\nvariable.MEMORY_WORKSPACE=default\n\n"
            + "{\"session_id\":\""
            + session
            + "\","
            + rest);
  }

  @Test
  void whatHooksHaveLeft_goesWithItsSession() throws Exception {
    try (PackagedDaemon daemon = start()) {
      Path torn = hook("1-a.hook", SESSION, "\"prompt\":\"the " + GONE + " gateway is");
      Path other = hook("2-a.hook", "other", "\"prompt\":\"the " + KEPT + " gateway is");
      Path draft =
          hook("3-a", SESSION, "\"prompt_id\":\"p9\",\"prompt\":\"Look at " + GONE + " again.\"}");
      Path waiting = Files.move(draft, data.resolve("spool/3-a.hook"));

      JsonNode planned = forget("--session", SESSION, "--dry-run");
      assertThat(planned.path("files").asInt()).isOne();
      // It was stored before the events were counted.
      assertThat(waiting).doesNotExist();
      assertThat(planned.path("events").asInt()).isGreaterThan(gone().size());
      assertThat(torn).exists();
      JsonNode receipt = forget("--session", SESSION, "--yes");

      assertThat(receipt.path("files").asInt()).isOne();
      assertThat(receipt.path("left")).isEmpty();
      assertThat(torn).doesNotExist();
      assertThat(other).exists();
      assertNoTrace(daemon);
    }
    assertNoBytes();
  }

  private void assertNoTrace(PackagedDaemon daemon) throws IOException {
    assertThat(said("search", KEPT)).contains(KEPT);
    assertThat(said("search", GONE)).doesNotContain(GONE + " gateway");
    assertThat(said("events", "--full")).contains(KEPT).doesNotContain(GONE);
    assertThat(said("sessions")).contains("other").doesNotContain(SESSION);
    assertThat(said("toc", "--depth", "6", "--grips")).contains(KEPT).doesNotContain(GONE);
    assertThat(said("recall", KEPT)).contains(KEPT);
    assertThat(said("memories", "export")).contains(KEPT).doesNotContain(GONE);
    assertThat(run("scratchpad", "list", SESSION).output()).doesNotContain(GONE);
    assertThat(daemon.client.admin().verify(10)).isEmpty();
    assertNoBytes();
  }

  private void assertNoBytes() throws IOException {
    ScanResult left = ByteScanner.scan(List.of(GONE), data);
    assertThat(left.places(GONE)).isEmpty();
    assertThat(ByteScanner.scan(List.of(KEPT), data).count(KEPT)).isPositive();
  }

  @Test
  void daemonKilledWhileItForgets_finishesBeforeItAnswers() throws Exception {
    PackagedDaemon first = start();
    try (first) {
      var begun = CompletableFuture.supplyAsync(() -> run("forget", "--session", SESSION, "--yes"));
      // The command alone takes most of a second; the erasure is somewhere in the time after.
      long millis = 300 + new Random(1).nextLong(1500);
      // On the thread of the timer: the pool may have one thread, which waits for the command.
      Executor later =
          CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS, Runnable::run);
      CompletableFuture.runAsync(() -> kill(first), later).join();
      var _ = begun.join();
    }
    try (PackagedDaemon daemon = start()) {
      boolean decided = !said("sessions").contains(SESSION);
      if (decided) {
        assertThat(said("events", "--full")).doesNotContain(GONE);
        assertThat(said("search", GONE)).doesNotContain(GONE + " gateway");
        assertThat(said("toc", "--depth", "6", "--grips")).doesNotContain(GONE);
        daemon.await("the end of it", () -> !said("status").contains("an erasure"));
      } else {
        assertThat(said("events", "--full")).contains(GONE);
        assertThat(daemon.client.admin().verify(10)).isEmpty();
        var _ = forget("--session", SESSION, "--yes");
      }
      assertNoTrace(daemon);
    }
  }

  @Test
  void olderBackup_restored_forgetsItAgain_beforeItAnswers() throws Exception {
    Path backups = folder.resolve("backups");
    Path restored = folder.resolve("restored");
    try (PackagedDaemon daemon = start()) {
      var _ = said("backup", backups.toString());
      assertThat(daemon.client.serving()).isTrue();
      JsonNode receipt = forget("--session", SESSION, "--yes");
      assertThat(receipt.path("backups").toString()).contains(backups.toString());
    }
    String first =
        JSON.readTree(said("backup", "list", backups.toString(), "--json"))
            .at("/backups/0/backup_id")
            .asText();
    var _ = said("restore", backups.toString(), "--to", restored.toString(), "--id", first);
    assertThat(ByteScanner.scan(List.of(GONE), restored).count(GONE)).isPositive();
    data = restored;
    try (PackagedDaemon daemon = start()) {
      assertNoTrace(daemon);
      assertThat(daemon.client.ingest().append(gone()).join())
          .allMatch(Receipt.Erased.class::isInstance);
    }
    assertNoBytes();
  }

  @Test
  void backupDirectoriesThatCannotBeRead_areToldAfterTheErasure() throws Exception {
    try (PackagedDaemon daemon = start()) {
      Path noted = Files.writeString(data.resolve("backup-directories"), "no quotation marks");

      JsonNode receipt = forget("--session", SESSION, "--yes");

      assertThat(receipt.path("erased").asBoolean()).isTrue();
      assertThat(receipt.path("backups").toString()).contains("cannot be listed", noted.toString());
      assertThat(said("status")).contains("a restore would not forget again");
      assertNoTrace(daemon);
    }
  }

  private static void kill(PackagedDaemon daemon) {
    try {
      daemon.kill();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
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
