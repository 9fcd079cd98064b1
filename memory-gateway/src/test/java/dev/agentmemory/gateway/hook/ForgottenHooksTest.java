package dev.agentmemory.gateway.hook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.agents.Agent;
import dev.agentmemory.agents.project.ProjectWorkspaces;
import dev.agentmemory.agents.transcript.TranscriptPlaces;
import dev.agentmemory.agents.transcript.TranscriptRoots;
import dev.agentmemory.api.WorkspaceSource;
import dev.agentmemory.api.WorkspaceSource.Access;
import dev.agentmemory.api.forget.ForgetReceipt;
import dev.agentmemory.api.forget.Forgetting;
import dev.agentmemory.engine.Engine;
import dev.agentmemory.engine.config.EngineConfig;
import dev.agentmemory.gateway.http.HttpCall;
import dev.agentmemory.spi.SystemServices;
import dev.agentmemory.testkit.Await;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.WorkspaceName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What hooks have left and what is known of transcripts, when something has to be forgotten.
@Tag("slow")
final class ForgottenHooksTest {

  private static final SystemServices SYSTEM = SystemServices.ofMachine();
  private static final SessionId SESSION = new SessionId("s1");
  private static final FileTime LONG_AGO = FileTime.fromMillis(1_767_600_000_000L);

  /// Has more than 64 characters.
  private static final String SAID =
      "Please find out why the zanzibar gateway closes its connections at night, every time.";

  @TempDir Path root;
  private Path project;
  private Path data;
  private Path spool;
  private WorkspaceName workspace;
  private Engine engine;
  private HookReceiver receiver;
  private volatile CompletableFuture<Void> storing = CompletableFuture.completedFuture(null);

  @BeforeEach
  void start() throws IOException {
    project = Files.createDirectories(root.resolve("project"));
    data = Files.createDirectories(root.resolve("data"));
    spool = data.resolve("spool");
    workspace = ProjectWorkspaces.DEFAULT.of(project);
    open(source -> source);
  }

  private void open(UnaryOperator<WorkspaceSource> through) {
    engine = Engine.open(SYSTEM, EngineConfig.defaults(data), () -> {});
    var roots = new TranscriptRoots(root.resolve("home"), Map.of());
    receiver =
        HookReceiver.start(
            SYSTEM.clock(),
            new HookConfig(data, AgentsConfig.DEFAULT, roots),
            through.apply(engine.source()));
    engine.forgetIn(receiver.files());
  }

  @AfterEach
  void stop() {
    receiver.close();
    engine.close();
  }

  /// The hooks cannot store anything; what is asked of the engine itself is answered.
  private void openWithoutStore() {
    stop();
    storing = CompletableFuture.failedFuture(new IllegalStateException("no lease"));
    open(source -> new Leases(source, _ -> storing));
  }

  private void post(String event, String body) {
    var call =
        new HttpCall(
            "POST",
            "/hooks/claude-code/" + event,
            Map.of(),
            _ -> Optional.empty(),
            body.getBytes(StandardCharsets.UTF_8),
            true);
    var _ = receiver.answer(call).join();
  }

  private String prompt(String session, String id, String text) {
    return "{\"session_id\":\"%s\",\"prompt_id\":\"%s\",\"cwd\":\"%s\",\"prompt\":\"%s\"}"
        .formatted(session, id, project, text);
  }

  private static String entry(String body) {
    return "memory-hook 1\nagent=claude-code\nevent=UserPromptSubmit\n\n" + body;
  }

  /// Moved into place as the hook does it: the receiver looks at the folder at any time, and an
  /// entry that it finds half written is rejected.
  private Path spooled(String name, String body) throws IOException {
    Path draft = Files.writeString(spool.resolve("." + name + ".tmp"), entry(body));
    return Files.move(draft, spool.resolve(name + ".hook"));
  }

  private Path rejected(String name, String content) throws IOException {
    return Files.writeString(
        Files.createDirectories(spool.resolve("rejected")).resolve(name + ".hook"), content);
  }

  private ForgetReceipt forget(Forgetting what, boolean dryRun) {
    try (WorkspaceSource.Lease lease =
        engine.source().lease(Optional.of(workspace), Access.WRITE).join()) {
      return lease.memory().admin().forget(what, dryRun, /* wait= */ true);
    }
  }

  private ForgetReceipt forget(SessionId session) {
    return forget(Forgetting.of(session), /* dryRun= */ false);
  }

  private List<Event> events() {
    return StoredEvents.of(engine, project);
  }

  @Test
  void sessionThatWaitsInTheSpool_isStoredBefore_erased_andDoesNotComeBack() throws IOException {
    receiver.close();
    Path file = spooled("1-a", prompt("s1", "p1", SAID));

    ForgetReceipt planned = forget(Forgetting.of(SESSION), /* dryRun= */ true);
    ForgetReceipt receipt = forget(SESSION);

    assertThat(planned.events()).isOne();
    assertThat(receipt.events()).isOne();
    assertThat(receipt.left()).isEmpty();
    assertThat(file).doesNotExist();
    stop();
    Path again = spooled("2-a", prompt("s1", "p1", SAID));
    open(source -> source);
    Await.until("the spool is empty", () -> !Files.exists(again));
    assertThat(events()).isEmpty();
  }

  @Test
  void entryThatCannotBeStored_goesWithItsSession_andOthersStayAndAreTold() throws IOException {
    openWithoutStore();
    Path mine = spooled("1-a", prompt("s1", "p1", SAID));
    Path other = spooled("2-a", prompt("s2", "p2", "Something else."));

    ForgetReceipt planned = forget(Forgetting.of(SESSION), /* dryRun= */ true);
    assertThat(mine).exists();
    ForgetReceipt receipt = forget(SESSION);

    assertThat(planned.files()).isOne();
    assertThat(planned.id()).isEmpty();
    assertThat(receipt.files()).isOne();
    assertThat(receipt.id()).isNotEmpty();
    assertThat(receipt.left())
        .singleElement()
        .asString()
        .contains("hooks in spool cannot be stored now (2)", "run");
    assertThat(mine).doesNotExist();
    assertThat(other).exists();
  }

  @Test
  void entryThatWaitsForItsNextTry_isTriedAtOnce() throws IOException {
    openWithoutStore();
    Path file = spooled("1-a", prompt("s1", "p1", SAID));
    Await.until("it waits", () -> receiver.report(Map.of()).spool().waiting() == 1);
    storing = CompletableFuture.completedFuture(null);

    ForgetReceipt receipt = forget(SESSION);

    assertThat(receipt.events()).isOne();
    assertThat(receipt.left()).isEmpty();
    assertThat(file).doesNotExist();
  }

  @Test
  void rejectedFiles_thatNameTheSession_areDeleted_alsoIncompleteOnes() throws IOException {
    post("UserPromptSubmit", prompt("s1", "p1", SAID));
    Path torn = rejected("1-a", entry("{\"session_id\":\"s1\",\"prompt\":\"half of it"));
    Path other = rejected("2-a", entry("{\"session_id\":\"s2\",\"prompt\":\"about s1"));
    stop();
    open(source -> source);
    assertThat(receiver.rejected()).isEqualTo(2);

    ForgetReceipt receipt = forget(SESSION);

    assertThat(receipt.files()).isOne();
    assertThat(torn).doesNotExist();
    assertThat(other).exists();
    assertThat(receiver.rejected()).isOne();
  }

  @Test
  void rejectedFileOfASubagent_goesWithIt_andThatOfItsParentStays() throws IOException {
    Path mine =
        rejected("1-a", entry("{\"session_id\":\"s1\",\"agent_id\":\"a7\",\"prompt\":\"half"));
    Path parent = rejected("2-a", entry("{\"session_id\":\"s1\",\"prompt\":\"half"));

    assertThat(forget(new SessionId("s1:a7")).files()).isOne();

    assertThat(mine).doesNotExist();
    assertThat(parent).exists();
  }

  @Test
  void rejectedFileOfAnotherProject_stays() throws IOException {
    Path elsewhere = Files.createDirectories(root.resolve("elsewhere"));
    Path other =
        rejected(
            "1-a",
            entry("{\"session_id\":\"s1\",\"cwd\":\"%s\",\"prompt\":\"half".formatted(elsewhere)));

    ForgetReceipt receipt = forget(SESSION);

    assertThat(receipt.isEmpty()).isTrue();
    assertThat(other).exists();
  }

  @Test
  void rejectedFiles_thatRepeatAnErasedEvent_areDeleted() throws IOException {
    post("UserPromptSubmit", prompt("s1", "p1", SAID));
    post("UserPromptSubmit", prompt("s1", "p2", "Something that stays where it is."));
    Path part = rejected("1-a", entry("{\"session_id\":\"s1\",\"text\":\"gateway closes its "));
    Path same =
        rejected("2-a", entry("{\"session_id\":\"s1\",\"text\":\"zanzibar gateway closes its\"}{"));
    Path elsewhere =
        rejected("3-a", entry("{\"session_id\":\"s2\",\"text\":\"zanzibar gateway closes its\"}{"));
    Path copied = rejected("4-a", entry("{\"session_id\":\"s2\",\"text\":\"" + SAID));
    Event event =
        events().stream().filter(one -> one.text().equals(SAID)).findFirst().orElseThrow();

    ForgetReceipt receipt = forget(Forgetting.of(event.id()), /* dryRun= */ false);

    assertThat(receipt.events()).isOne();
    assertThat(receipt.files()).isEqualTo(2);
    assertThat(List.of(same, copied)).noneMatch(Files::exists);
    assertThat(List.of(part, elsewhere)).allMatch(Files::exists);
  }

  @Test
  void wholeWorkspace_takesTheFilesOfItsProject_andTellsOfThoseThatNameNone() throws IOException {
    Path mine =
        rejected(
            "1-a",
            "memory-hook 1\nagent=newer\n\n{\"id\":\"x\",\"cwd\":\"%s\"}".formatted(project));
    Path unnamed = rejected("2-a", "memory-hook 1\nagent=claude-code\n\n{\"prompt\":\"half");
    Path folder = Files.createDirectories(spool.resolve("rejected/3-a.hook"));

    ForgetReceipt receipt = forget(Forgetting.everything(), /* dryRun= */ false);

    assertThat(receipt.files()).isOne();
    assertThat(mine).doesNotExist();
    assertThat(unnamed).exists();
    assertThat(folder).exists();
    assertThat(receipt.left())
        .anySatisfy(left -> assertThat(left).contains("do not say of which session they are (1)"))
        .anySatisfy(left ->
            assertThat(left)
                .startsWith("spool/rejected/3-a.hook cannot be read")
                .contains("delete"))
        .hasSize(2);
  }

  @Test
  void draftOfAHookThatWasKilled_isDeleted_andOneThatMayBeWrittenStays() throws IOException {
    String begun = "memory-hook 1\nagent=claude-code\n\n{\"session_id\":\"s1\",\"prompt\":\"";
    Path draft = Files.writeString(spool.resolve(".1-a.tmp"), begun);
    Files.setLastModifiedTime(draft, LONG_AGO);
    Path fresh = Files.writeString(spool.resolve(".2-a.tmp"), begun);

    assertThat(forget(SESSION).files()).isOne();

    assertThat(draft).doesNotExist();
    assertThat(fresh).exists();
  }

  private Path transcript(String session) throws IOException {
    Path folder = Files.createDirectories(root.resolve("home/.claude/projects/-p"));
    Path transcript =
        Files.writeString(
            folder.resolve(session + ".jsonl"),
            line(session, "u1", "p1", "\"Please look at the files.\"")
                + ("{\"type\":\"assistant\",\"message\":{\"id\":\"m1\",\"role\":\"assistant\",\"content\":"
                        + "[{\"type\":\"tool_use\",\"id\":\"toolu_1\",\"name\":\"Bash\",\"input\":"
                        + "{\"command\":\"grep zanzibar\"}}]},\"uuid\":\"u2\","
                        + "\"timestamp\":\"2026-01-01T00:00:01Z\",\"sessionId\":\"%s\"}\n")
                    .formatted(session));
    post(
        "Stop",
        "{\"session_id\":\"%s\",\"cwd\":\"%s\",\"transcript_path\":\"%s\"}"
            .formatted(session, project, transcript));
    Await.until("it is read", () -> state(transcript).contains("zanzibar"));
    return transcript;
  }

  private static String line(String session, String uuid, String prompt, String content) {
    return ("{\"parentUuid\":null,\"promptId\":\"%s\",\"type\":\"user\",\"message\":{\"role\":\"user\","
            + "\"content\":%s},\"uuid\":\"%s\",\"timestamp\":\"2026-01-01T00:00:00Z\","
            + "\"sessionId\":\"%s\"}\n")
        .formatted(prompt, content, uuid, session);
  }

  private String state(Path transcript) {
    return new TranscriptPlaces(data).of(Agent.CLAUDE_CODE, transcript).state();
  }

  @Test
  void callsThatHaveNotReturned_areForgotten_andTheirResultsAreStoredWithoutThem()
      throws IOException {
    Path mine = transcript("s1");
    Path other = transcript("s2");
    receiver.close();

    ForgetReceipt planned = forget(Forgetting.of(SESSION), /* dryRun= */ true);
    assertThat(state(mine)).contains("zanzibar");
    ForgetReceipt receipt = forget(SESSION);

    assertThat(planned.files()).isOne();
    assertThat(receipt.files()).isOne();
    assertThat(state(mine)).doesNotContain("zanzibar").contains("toolu_1");
    assertThat(state(other)).contains("zanzibar");
    assertThat(new TranscriptPlaces(data).of(Agent.CLAUDE_CODE, mine).offset())
        .isEqualTo(Files.size(mine));
    Files.writeString(
        mine,
        line(
            "s1",
            "u3",
            "p1",
            "[{\"type\":\"tool_result\",\"tool_use_id\":\"toolu_1\",\"content\":\"a\"}]"),
        StandardOpenOption.APPEND);
    stop();
    open(source -> source);
    Await.until(
        "its result is stored",
        () -> events().stream().anyMatch(event -> event.session().equals(SESSION)));
    assertThat(events())
        .filteredOn(event -> event.session().equals(SESSION))
        .noneMatch(event -> event.toString().contains("zanzibar"));
  }

  @Test
  void transcript_whoseLastLinesWereNotReadYet_isReadBefore() throws IOException {
    Path transcript = transcript("s1");
    receiver.close();
    Files.writeString(
        transcript, line("s1", "u3", "p2", "\"" + SAID + "\""), StandardOpenOption.APPEND);

    var _ = forget(SESSION);

    stop();
    open(source -> source);
    var other = new SessionId("s3");
    post("UserPromptSubmit", prompt("s3", "p3", "Something that is read after the transcript."));
    var _ = receiver.files().takeIn();
    assertThat(events()).extracting(Event::session).containsOnly(other);
  }

  @Test
  void whatTheSessionWasGiven_isNotNamedAnyMore() throws IOException {
    stop();
    Path given = Files.createDirectories(data.resolve("agents")).resolve("given.txt");
    Files.writeString(given, "s1\tabc12\ns2\tdef34\n");
    open(source -> source);
    post("UserPromptSubmit", prompt("s1", "p1", SAID));

    var _ = forget(SESSION);

    assertThat(given).content().isEqualTo("s2\tdef34\n");
  }
}
