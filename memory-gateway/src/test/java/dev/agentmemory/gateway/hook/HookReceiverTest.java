package dev.agentmemory.gateway.hook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.agentmemory.agents.Agent;
import dev.agentmemory.agents.event.AgentMetadata;
import dev.agentmemory.agents.project.ProjectNames;
import dev.agentmemory.agents.project.ProjectWorkspaces;
import dev.agentmemory.agents.recording.CaptureFile;
import dev.agentmemory.agents.transcript.TranscriptPlaces;
import dev.agentmemory.agents.transcript.TranscriptRoots;
import dev.agentmemory.api.RefusalReport;
import dev.agentmemory.api.WorkspaceSource;
import dev.agentmemory.api.WorkspaceSource.Access;
import dev.agentmemory.api.injection.Injection;
import dev.agentmemory.api.injection.InjectionMoment;
import dev.agentmemory.api.injection.InjectionSource;
import dev.agentmemory.api.injection.UsedInjection;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.engine.Engine;
import dev.agentmemory.engine.config.EngineConfig;
import dev.agentmemory.gateway.hook.HookCounts.Outcome;
import dev.agentmemory.gateway.http.HttpCall;
import dev.agentmemory.gateway.http.HttpReply;
import dev.agentmemory.gateway.mcp.ToolUseDirectory;
import dev.agentmemory.spi.BackgroundLoop;
import dev.agentmemory.spi.SystemServices;
import dev.agentmemory.testkit.Await;
import dev.agentmemory.text.RecalledText;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.WorkspaceName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("slow")
final class HookReceiverTest {

  private static final Path RECORDED = Path.of("../memory-agents/src/test/resources/agents");
  private static final SystemServices SYSTEM = SystemServices.ofMachine();

  @TempDir Path root;
  private Path project;
  private Path data;
  private Engine engine;
  private HookReceiver receiver;

  @BeforeEach
  void start() throws IOException {
    project = Files.createDirectories(root.resolve("project"));
    data = Files.createDirectories(root.resolve("data"));
    open(answeringWithin(Duration.ofSeconds(10)), source -> source);
  }

  private void open() {
    open(answeringWithin(Duration.ofSeconds(10)));
  }

  private static AgentsConfig answeringWithin(Duration deadline) {
    AgentsConfig defaults = AgentsConfig.DEFAULT;
    return new AgentsConfig(
        defaults.workspaces(),
        defaults.excluded(),
        defaults.privateWord(),
        /* context= */ true,
        deadline);
  }

  private void open(AgentsConfig agents) {
    open(agents, source -> source);
  }

  /// @param before what each lease of a workspace waits for
  private void openWith(Function<Access, CompletableFuture<Void>> before) {
    open(answeringWithin(Duration.ofSeconds(10)), source -> new Leases(source, before));
  }

  private void open(AgentsConfig agents, UnaryOperator<WorkspaceSource> through) {
    engine = Engine.open(SYSTEM, EngineConfig.defaults(data), () -> {});
    var roots = new TranscriptRoots(root.resolve("home"), Map.of());
    receiver =
        HookReceiver.start(
            SYSTEM.clock(), new HookConfig(data, agents, roots), through.apply(engine.source()));
  }

  @AfterEach
  void stop() {
    receiver.close();
    engine.close();
  }

  private HttpReply post(String agent, String event, String body, Map<String, String> headers) {
    return receiver.answer(call(agent, event, body, headers)).join();
  }

  private static HttpCall call(
      String agent, String event, String body, Map<String, String> headers) {
    return new HttpCall(
        "POST",
        "/hooks/" + agent + "/" + event,
        Map.of(),
        name -> Optional.ofNullable(headers.get(name)),
        body.getBytes(StandardCharsets.UTF_8),
        true);
  }

  private String prompt(String id, String text) {
    return "{\"session_id\":\"s1\",\"prompt_id\":\"%s\",\"cwd\":\"%s\",\"prompt\":\"%s\"}"
        .formatted(id, project, text);
  }

  private Path spool(String name, String event, String body) throws IOException {
    Path file = data.resolve("spool").resolve("." + name + ".tmp");
    Files.writeString(file, "memory-hook 1\nagent=claude-code\nevent=" + event + "\n\n" + body);
    return Files.move(file, data.resolve("spool").resolve(name + ".hook"));
  }

  private long events() {
    return events(project);
  }

  private long events(Path directory) {
    return events(ProjectWorkspaces.DEFAULT.of(directory));
  }

  private long events(WorkspaceName name) {
    try (WorkspaceSource.Lease lease =
        engine.source().lease(Optional.of(name), Access.WRITE).join()) {
      return lease.memory().admin().status().store().events();
    }
  }

  @Test
  void prompt_isDurableWhenItIsAnswered() {
    HttpReply reply = post("claude-code", "UserPromptSubmit", prompt("p1", "hello"), Map.of());

    assertThat(reply.status()).isEqualTo(200);
    assertThat(events()).isOne();
    stop();
    open();
    assertThat(events()).isOne();
  }

  @Test
  void samePrompt_byPostAndBySpool_isOneEvent() throws IOException {
    post("claude-code", "UserPromptSubmit", prompt("p1", "hello"), Map.of());
    Path file = spool("1-a", "UserPromptSubmit", prompt("p1", "hello"));
    Await.until("the spool is empty", () -> !Files.exists(file));
    post("claude-code", "UserPromptSubmit", prompt("p1", "hello"), Map.of("memory-spooled", "1-a"));

    assertThat(events()).isOne();
  }

  @Test
  void prompt_thatCannotBeStored_isAnswered_andCounted() {
    stop();
    openWith(_ -> {
      throw new IllegalStateException("no lease");
    });
    HttpReply reply = post("claude-code", "UserPromptSubmit", prompt("p1", "hello"), Map.of());

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.body()).isEmpty();
    assertThat(receiver.report(Map.of()).hooks()).containsEntry("failed", 1L);
  }

  @Test
  void prompt_whoseContextCannotBeLookedUp_isStored_andCountedApart() {
    stop();
    openWith(access -> {
      if (access == Access.READ) {
        throw new IllegalStateException("no lease");
      }
      return CompletableFuture.completedFuture(null);
    });
    String question = "Where are the invoices stored, in RocksDB?";
    HttpReply reply = post("claude-code", "UserPromptSubmit", prompt("p1", question), Map.of());

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.body()).isEmpty();
    assertThat(receiver.report(Map.of()).hooks())
        .containsOnly(Map.entry("stored", 1L), Map.entry("context_failed", 1L));
  }

  /// More often than contexts are looked up at once.
  @Test
  void prompts_whoseContextsCannotBeBegun_areStored_andCountedApart() {
    receiver.close();
    for (int i = 0; i < 9; i++) {
      String question = "Where are the invoices stored, in RocksDB?";
      HttpReply reply =
          post("claude-code", "UserPromptSubmit", prompt("p" + i, question), Map.of());
      assertThat(reply.status()).isEqualTo(200);
      assertThat(reply.body()).isEmpty();
    }

    assertThat(receiver.report(Map.of()).hooks())
        .containsOnly(Map.entry("stored", 9L), Map.entry("context_failed", 9L));
  }

  @Test
  void start_agentsIsNoFolder_namesTheFolders() throws IOException {
    receiver.close();
    Files.createFile(data.resolve("agents"));
    var config =
        new HookConfig(
            data, AgentsConfig.DEFAULT, new TranscriptRoots(root.resolve("home"), Map.of()));

    assertThatThrownBy(() -> HookReceiver.start(SYSTEM.clock(), config, engine.source()))
        .isInstanceOf(MemoryException.class)
        .hasMessageContaining("the folders spool and agents in " + data);
  }

  @Test
  void capture_whileContextsAreLookedUp_doesNotWaitForThem() throws Exception {
    stop();
    CompletableFuture<Void> gate = new CompletableFuture<>();
    open(answeringWithin(Duration.ofSeconds(10)), source -> slowReads(source, gate));
    // More than are looked up at once.
    List<CompletableFuture<HttpReply>> prompts =
        IntStream.range(0, 9)
            .mapToObj(i -> prompt("p" + i, "Where are the invoices stored, in RocksDB?"))
            .map(body -> receiver.answer(call("claude-code", "UserPromptSubmit", body, Map.of())))
            .toList();
    try {
      String stop =
          "{\"session_id\":\"s1\",\"cwd\":\"%s\",\"last_assistant_message\":\"done\"}"
              .formatted(project);
      // Less than the deadline, after which a context that is looked up is given up.
      HttpReply reply =
          receiver.answer(call("claude-code", "Stop", stop, Map.of())).get(8, TimeUnit.SECONDS);

      assertThat(reply.status()).isEqualTo(200);
    } finally {
      gate.complete(null);
      prompts.forEach(CompletableFuture::join);
    }
  }

  @Test
  void context_whileThreadsThatAreSharedAreBusy_isAnswered() {
    postOther("The invoices are stored in RocksDB because reads are local.");
    var busy = new CountDownLatch(1);
    List<CompletableFuture<Void>> others =
        IntStream.range(0, 2 * ForkJoinPool.getCommonPoolParallelism() + 2)
            .mapToObj(_ -> CompletableFuture.runAsync(() -> awaitQuietly(busy)))
            .toList();
    try {
      String question = "Where are the invoices stored, in RocksDB?";
      HttpReply reply = post("claude-code", "UserPromptSubmit", prompt("p1", question), Map.of());
      assertThat(new String(reply.body(), StandardCharsets.UTF_8)).contains("reads are local");
    } finally {
      busy.countDown();
      others.forEach(CompletableFuture::join);
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void post_beforeItsFileHasItsName_isStoredFromTheFile() throws IOException {
    HttpReply reply =
        post(
            "claude-code",
            "UserPromptSubmit",
            prompt("p1", "hello"),
            Map.of("memory-spooled", "1-a"));
    Path file = spool("1-a", "UserPromptSubmit", prompt("p1", "hello"));
    Await.until("the spool is empty", () -> !Files.exists(file));

    assertThat(reply.status()).isEqualTo(200);
    assertThat(events()).isOne();
  }

  @Test
  void samePrompt_atAnotherTime_isNoRefusal() throws IOException {
    Path draft = data.resolve("spool").resolve(".1-a.tmp");
    Files.writeString(
        draft,
        "memory-hook 1\nagent=claude-code\nevent=UserPromptSubmit\n\n" + prompt("p1", "hello"));
    Files.setLastModifiedTime(draft, FileTime.fromMillis(1_767_600_000_000L));
    Path file = Files.move(draft, data.resolve("spool").resolve("1-a.hook"));
    Await.until("the spool is empty", () -> !Files.exists(file));
    post("claude-code", "UserPromptSubmit", prompt("p1", "hello"), Map.of());

    assertThat(receiver.counts().of(Outcome.STORED)).isOne();
    assertThat(receiver.counts().of(Outcome.KNOWN)).isOne();
    var name = Optional.of(ProjectWorkspaces.DEFAULT.of(project));
    try (WorkspaceSource.Lease lease = engine.source().lease(name, Access.READ).join()) {
      assertThat(lease.memory().admin().status().refused()).isEqualTo(RefusalReport.NONE);
    }
  }

  @Test
  void spooledSessionStart_alsoPosted_isOneEvent() throws IOException {
    String body = "{\"session_id\":\"s1\",\"source\":\"resume\",\"cwd\":\"%s\"}".formatted(project);
    Path file = spool("1-a", "SessionStart", body);
    post("claude-code", "SessionStart", body, Map.of("memory-spooled", "1-a"));
    Await.until("the spool is empty", () -> !Files.exists(file));

    assertThat(events()).isOne();
  }

  @Test
  void spoolOfAStoppedDaemon_isDrainedAtTheStart() throws IOException {
    stop();
    for (int i = 0; i < 1000; i++) {
      spool("n" + i, "UserPromptSubmit", prompt("p" + i, "prompt " + i));
    }
    Files.writeString(data.resolve("spool/torn.hook"), "memory-hook 1\nagent=claude-code");
    open();

    Await.until("all are stored", () -> receiver.counts().of(Outcome.STORED) == 1000);
    Await.until("the torn one is rejected", () -> receiver.rejected() == 1);
    assertThat(events()).isEqualTo(1000);
  }

  @Test
  void draftOfAHookThatWasKilled_isRejectedAtTheNextStart() throws IOException {
    stop();
    Path draft = Files.writeString(data.resolve("spool/.1-a.tmp"), "memory-hook 1\nagent=");
    Files.setLastModifiedTime(draft, FileTime.fromMillis(1_767_600_000_000L));
    Path fresh = Files.writeString(data.resolve("spool/.2-a.tmp"), "memory-hook 1\nagent=");
    open();

    assertThat(receiver.rejected()).isOne();
    assertThat(draft).doesNotExist();
    assertThat(fresh).exists();
  }

  @Test
  void rejectedEntry_thatCanBeReadNow_isStoredAtTheStart() throws IOException {
    stop();
    Path rejected = Files.createDirectories(data.resolve("spool/rejected"));
    Files.writeString(
        rejected.resolve("1-a.hook"),
        "memory-hook 1\nagent=claude-code\nevent=UserPromptSubmit\n\n" + prompt("p1", "hello"));
    open();

    Await.until("it is stored", () -> receiver.counts().of(Outcome.STORED) == 1);
    assertThat(receiver.rejected()).isZero();
  }

  @Test
  void toolResult_inAnotherFormInTheTranscript_isNoRefusal() throws IOException {
    String tool =
        ("{\"session_id\":\"s1\",\"prompt_id\":\"p1\",\"cwd\":\"%s\",\"tool_name\":\"Bash\","
                + "\"tool_use_id\":\"toolu_1\",\"tool_input\":{\"command\":\"ls\"},"
                + "\"tool_response\":{\"stdout\":\"a\",\"stderr\":\"warning\"}}")
            .formatted(project);
    post("claude-code", "PostToolUse", tool, Map.of());
    Path folder = Files.createDirectories(root.resolve("home/.claude/projects/-p"));
    Path transcript =
        Files.writeString(
            folder.resolve("s1.jsonl"),
            line("u1", "p1", "list")
                + ("{\"promptId\":\"p1\",\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":"
                    + "[{\"type\":\"tool_result\",\"tool_use_id\":\"toolu_1\",\"content\":\"a\"}]},"
                    + "\"uuid\":\"u2\",\"timestamp\":\"2026-01-01T00:00:01Z\",\"sessionId\":\"s1\"}\n"));
    post("claude-code", "Stop", stopOf(transcript), Map.of());

    Await.until("the transcript is read", () -> receiver.counts().of(Outcome.KNOWN) == 1);
    var name = Optional.of(ProjectWorkspaces.DEFAULT.of(project));
    try (WorkspaceSource.Lease lease = engine.source().lease(name, Access.READ).join()) {
      assertThat(lease.memory().admin().status().refused()).isEqualTo(RefusalReport.NONE);
    }
  }

  @Test
  void unusableMessages_areAnsweredWithoutABody() {
    for (String body : List.of("", "[]", "{", "{\"cwd\":1}", "{\"session_id\":\"s\"}")) {
      HttpReply reply = post("claude-code", "UserPromptSubmit", body, Map.of());
      assertThat(reply.status()).isEqualTo(200);
      assertThat(reply.body()).isEmpty();
    }
    assertThat(post("unheard", "X", "{}", Map.of()).status()).isEqualTo(200);
    assertThat(receiver.counts().of(Outcome.UNKNOWN_AGENT)).isOne();
  }

  @Test
  void recordedPayloads_areAllAnswered_andAnEndGetsNoBody() throws IOException {
    try (Stream<Path> files = Files.walk(RECORDED)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".json")).toList()) {
        if (file.toString().contains("transcripts")) {
          continue;
        }
        JsonNode recorded = new JsonMapper().readTree(file.toFile());
        String event = recorded.path("event").asText();
        String agent =
            String.valueOf(Objects.requireNonNull(file.getParent()).getFileName())
                .replaceFirst("-cli$", "");
        HttpReply reply = post(agent, event, recorded.path("body").toString(), Map.of());
        assertThat(reply.status()).as(file.toString()).isEqualTo(200);
        if (event.matches("(?i).*(stop|end)")) {
          assertThat(reply.body()).as(file.toString()).isEmpty();
        }
      }
    }
    assertThat(receiver.counts().of(Outcome.STORED)).isGreaterThan(30);
    assertThat(receiver.counts().of(Outcome.REFUSED)).isZero();
  }

  @Test
  void privateSession_isNotStoredFromItsPromptOn_alsoAfterARestart() {
    post("claude-code", "UserPromptSubmit", prompt("p1", "#private hello"), Map.of());
    stop();
    open();
    post("claude-code", "UserPromptSubmit", prompt("p2", "more"), Map.of());

    assertThat(events()).isZero();
    assertThat(receiver.counts().of(Outcome.NOT_RECORDED)).isOne();
  }

  @Test
  void privateSession_whosePromptCameByNoHook_isNotReadFromItsTranscript() throws IOException {
    post("claude-code", "UserPromptSubmit", prompt("p2", "a later prompt"), Map.of());
    Path folder = Files.createDirectories(root.resolve("home/.claude/projects/-p"));
    Path transcript = Files.writeString(folder.resolve("s1.jsonl"), line("u1", "p1", "#private"));
    post("claude-code", "Stop", stopOf(transcript), Map.of());
    Await.until(
        "the transcript is read",
        () -> receiver.report(Map.of()).recording().privateSessions() == 1);
    stop();
    open();
    post("claude-code", "UserPromptSubmit", prompt("p3", "more"), Map.of());

    assertThat(events()).isOne();
  }

  @Test
  void wordInALaterPrompt_afterARestartInTheMiddleOfTheSession_hidesNothing() {
    post("claude-code", "UserPromptSubmit", prompt("p1", "hello"), Map.of());
    stop();
    open();
    post("claude-code", "UserPromptSubmit", prompt("p2", "what is #private for?"), Map.of());
    post("claude-code", "UserPromptSubmit", prompt("p3", "more"), Map.of());

    assertThat(events()).isEqualTo(3);
  }

  @Test
  void ignoredProject_andCaptureOff_storeNothing() throws IOException {
    Files.createFile(project.resolve(".agent-memory-ignore"));
    post("claude-code", "UserPromptSubmit", prompt("p1", "hello"), Map.of());
    Files.delete(project.resolve(".agent-memory-ignore"));
    Files.writeString(data.resolve("capture.json"), "{\"off\":true,\"projects\":[]}\n");
    post("claude-code", "UserPromptSubmit", prompt("p2", "hello"), Map.of());
    String workspace = ProjectWorkspaces.DEFAULT.of(project).value();
    Files.writeString(
        data.resolve("capture.json"), "{\"off\":false,\"projects\":[\"" + workspace + "\"]}\n");
    post("claude-code", "UserPromptSubmit", prompt("p3", "hello"), Map.of());
    Files.writeString(data.resolve("capture.json"), "torn");
    post("claude-code", "UserPromptSubmit", prompt("p4", "hello"), Map.of());
    Files.writeString(data.resolve("capture.json"), "");
    post("claude-code", "UserPromptSubmit", prompt("p5", "hello"), Map.of());

    assertThat(events()).isZero();
    assertThat(receiver.counts().of(Outcome.NOT_RECORDED)).isEqualTo(5);
    assertThat(receiver.counts().of(Outcome.CAPTURE_UNREADABLE)).isEqualTo(2);
  }

  @Test
  void captureIsOnAgain_whatWasSaidMeanwhile_isNotReadFromTheTranscript() throws IOException {
    new CaptureFile(false, Set.of())
        .with(true, Instant.parse("2025-12-31T00:00:00Z"))
        .with(false, Instant.parse("2026-01-02T00:00:00Z"))
        .write(data);
    Path folder = Files.createDirectories(root.resolve("home/.claude/projects/-p"));
    Path transcript =
        Files.writeString(
            folder.resolve("s1.jsonl"),
            line("u1", "p1", "hidden")
                + line("u2", "p2", "after").replace("2026-01-01", "2026-01-03"));
    post("claude-code", "Stop", stopOf(transcript), Map.of());

    Await.until("the transcript is read", () -> receiver.counts().of(Outcome.STORED) > 0);
    assertThat(events()).isOne();
  }

  @Test
  void captureIsOnAgain_whatTheSpoolHasOfBefore_isNotStored() throws IOException {
    new CaptureFile(false, Set.of())
        .with(ProjectWorkspaces.DEFAULT.of(project).value(), false, Instant.EPOCH)
        .with(ProjectWorkspaces.DEFAULT.of(project).value(), true, Instant.ofEpochSecond(9))
        .write(data);
    Path draft = data.resolve("spool").resolve(".1-a.tmp");
    Files.writeString(
        draft,
        "memory-hook 1\nagent=claude-code\nevent=UserPromptSubmit\n\n" + prompt("p1", "hello"));
    Files.setLastModifiedTime(draft, FileTime.fromMillis(8_000));
    Path file = Files.move(draft, data.resolve("spool").resolve("1-a.hook"));
    Await.until("the spool is empty", () -> !Files.exists(file));

    assertThat(events()).isZero();
    assertThat(receiver.counts().of(Outcome.NOT_RECORDED)).isOne();
  }

  @Test
  void callThatAHookTellsOf_madeWhileCaptureWasOff_isStoredWithoutItsInput() throws IOException {
    Instant now = SYSTEM.clock().instant();
    new CaptureFile(false, Set.of())
        .with(/* nothing= */ true, now.minusSeconds(3600))
        .with(/* nothing= */ false, now.minusSeconds(60))
        .write(data);
    String call =
        ("{\"conversation_id\":\"c1\",\"workspace_roots\":[\"%s\"],\"tool_name\":\"Shell\","
                + "\"tool_use_id\":\"t1\",\"tool_input\":{\"command\":\"secret\"},"
                + "\"tool_output\":\"done\",\"duration\":600000}")
            .formatted(project);
    post("cursor", "postToolUse", call, Map.of());

    assertThat(StoredEvents.of(engine, project))
        .singleElement()
        .satisfies(event -> {
          assertThat(event.text()).isEqualTo("done");
          assertThat(event.metadata()).doesNotContainKey(AgentMetadata.TOOL_INPUT);
        });
  }

  @Test
  void privateSessionOfAnExcludedProject_includedAgain_staysPrivate() throws IOException {
    Path ignore = Files.createFile(project.resolve(".agent-memory-ignore"));
    Path folder = Files.createDirectories(root.resolve("home/.claude/projects/-p"));
    Path transcript = folder.toRealPath().resolve("s1.jsonl");
    Files.writeString(transcript, line("u1", "p1", "#private hidden"));
    post("claude-code", "Stop", stopOf(transcript), Map.of());
    Files.delete(ignore);
    Files.writeString(transcript, line("u2", "p2", "after"), StandardOpenOption.APPEND);
    post("claude-code", "Stop", stopOf(transcript), Map.of());

    Await.until(
        "the transcript is read",
        () -> new TranscriptPlaces(data).of(Agent.CLAUDE_CODE, transcript).prompted());
    assertThat(events()).isZero();
  }

  @Test
  void excludedProject_inWhichAnAgentWorksFromAnotherOne_isNotRecorded() throws IOException {
    Path secret = Files.createDirectories(root.resolve("ignored"));
    Files.createFile(secret.resolve(".agent-memory-ignore"));

    post(
        "claude-code",
        "UserPromptSubmit",
        prompt("p1", "hello there").replace(project.toString(), secret.toString()),
        Map.of("memory-variable-CLAUDE_PROJECT_DIR", project.toString()));

    assertThat(events()).isZero();
    assertThat(events(secret)).isZero();
  }

  @Test
  void excludedProject_namedProject_andNoPrivateWord_followTheSettings() throws IOException {
    stop();
    Path secret = Files.createDirectories(root.resolve("secret"));
    open(
        new AgentsConfig(
            Map.of(project, new WorkspaceName("named")),
            Set.of(secret),
            Optional.empty(),
            true,
            AgentsConfig.DEFAULT.deadline()));
    post("claude-code", "UserPromptSubmit", prompt("p1", "#private hello"), Map.of());
    post(
        "claude-code",
        "UserPromptSubmit",
        prompt("p2", "hello").replace(project.toString(), secret.toString()),
        Map.of());

    assertThat(receiver.counts().of(Outcome.STORED)).isOne();
    assertThat(receiver.counts().of(Outcome.NOT_RECORDED)).isOne();
    assertThat(events(new WorkspaceName("named"))).isOne();
    assertThat(ProjectNames.workspaces(data).of(project)).isEqualTo(new WorkspaceName("named"));
    stop();
    open();
    assertThat(ProjectNames.workspaces(data)).isSameAs(ProjectWorkspaces.DEFAULT);
  }

  @Test
  void answer_afterItsDeadline_isEmpty_andItsLinesAreGivenLater() {
    postOther("The invoices are stored in RocksDB because reads are local.");
    stop();
    CompletableFuture<Void> gate = new CompletableFuture<>();
    open(answeringWithin(Duration.ofMillis(50)), source -> slowReads(source, gate));
    String question = "Where are the invoices stored, in RocksDB?";

    assertThat(post("claude-code", "UserPromptSubmit", prompt("p1", question), Map.of()).body())
        .isEmpty();
    gate.complete(null);
    stop();
    open();
    HttpReply reply = post("claude-code", "UserPromptSubmit", prompt("p2", question), Map.of());
    assertThat(new String(reply.body(), StandardCharsets.UTF_8)).contains("reads are local");
    reply = post("claude-code", "UserPromptSubmit", prompt("p3", question), Map.of());
    assertThat(new String(reply.body(), StandardCharsets.UTF_8)).doesNotContain("reads are local");
  }

  @Test
  void context_ofAPrompt_isOfOtherSessions() {
    postOther("The invoices are stored in RocksDB because reads are local.");
    post(
        "claude-code",
        "UserPromptSubmit",
        prompt("p1", "The invoices are stored in RocksDB, says somebody."),
        Map.of());
    Await.until("both are indexed", () -> indexed() == 2);
    HttpReply reply =
        post(
            "claude-code",
            "UserPromptSubmit",
            prompt("p2", "Where are the invoices stored, in RocksDB?"),
            Map.of());

    assertThat(new String(reply.body(), StandardCharsets.UTF_8))
        .contains("reads are local")
        .doesNotContain("somebody");
  }

  @Test
  void context_thatWasGiven_isRecorded_andOneThatWasNotIsNot() {
    postOther("The invoices are stored in RocksDB because reads are local.");
    String question = "Where are the invoices stored, in RocksDB?";
    HttpReply reply = post("claude-code", "UserPromptSubmit", prompt("p1", question), Map.of());
    String given = new String(reply.body(), StandardCharsets.UTF_8);
    assertThat(given).contains("reads are local");
    Await.until("it is recorded", () -> injections().size() == 1);
    Injection told = injections().getFirst().injection();
    assertThat(told.moment()).isEqualTo(InjectionMoment.PROMPT);
    assertThat(told.source()).isEqualTo(InjectionSource.EVIDENCE);
    assertThat(told.text())
        .hasValueSatisfying(text -> assertThat(text).contains("reads are local"))
        .hasValueSatisfying(text -> assertThat(text).doesNotContain(RecalledText.MARK));
    assertThat(told.citations()).isNotEmpty();
    assertThat(told.tokens()).isPositive();
    reply = post("claude-code", "UserPromptSubmit", prompt("p2", question), Map.of());
    assertThat(new String(reply.body(), StandardCharsets.UTF_8)).doesNotContain("reads are local");
    start("clear");
    Await.until("the start is recorded", () -> injections().size() == 2);
    assertThat(injections().getLast().injection().moment())
        .isEqualTo(InjectionMoment.SESSION_START);
  }

  @Test
  void contexts_thatWereGiven_areRecorded_beforeTheReceiverEnds() {
    postOther("The invoices are stored in RocksDB because reads are local.");
    stop();
    CompletableFuture<Void> gate = new CompletableFuture<>();
    // Only recordings wait: one is under way, the others are behind it.
    openWith(access ->
        access == Access.WRITE && Thread.currentThread().getName().startsWith("memory-context")
            ? gate
            : CompletableFuture.completedFuture(null));
    String question = prompt("p1", "Where are the invoices stored, in RocksDB?");
    List<String> sessions = List.of("s1", "s2", "s3");
    for (String session : sessions) {
      HttpReply reply =
          post(
              "claude-code",
              "UserPromptSubmit",
              question.replace("\"s1\"", '"' + session + '"'),
              Map.of());
      assertThat(new String(reply.body(), StandardCharsets.UTF_8)).contains("reads are local");
    }

    Thread closing = Thread.ofPlatform().start(receiver::close);
    Await.until(
        "it waits for the recordings",
        () -> closing.getState() == Thread.State.TIMED_WAITING || !closing.isAlive());
    gate.complete(null);
    BackgroundLoop.join(closing);

    assertThat(sessions).allSatisfy(session -> assertThat(injections(session)).hasSize(1));
  }

  private List<UsedInjection> injections() {
    return injections("s1");
  }

  private List<UsedInjection> injections(String session) {
    var name = Optional.of(ProjectWorkspaces.DEFAULT.of(project));
    try (WorkspaceSource.Lease lease = engine.source().lease(name, Access.READ).join()) {
      return lease
          .memory()
          .recall()
          .injections()
          .list(new SessionId(session), PageRequest.first())
          .items();
    }
  }

  /// Stores a prompt of another session and waits until it can be found.
  private void postOther(String text) {
    post(
        "claude-code",
        "UserPromptSubmit",
        prompt("p0", text).replace("\"s1\"", "\"s0\""),
        Map.of());
    Await.until("it is indexed", () -> indexed() == 1);
  }

  private long indexed() {
    var name = Optional.of(ProjectWorkspaces.DEFAULT.of(project));
    try (WorkspaceSource.Lease lease = engine.source().lease(name, Access.READ).join()) {
      return lease.memory().search().status().behind() == 0
          ? lease.memory().search().status().events()
          : -1;
    }
  }

  /// Opens a workspace for reading only after the gate.
  private static WorkspaceSource slowReads(WorkspaceSource inner, CompletableFuture<Void> gate) {
    return new Leases(
        inner, access -> access == Access.READ ? gate : CompletableFuture.completedFuture(null));
  }

  @Test
  void sessionStarts_ofOneState_getTheSameBytes_alsoAfterARestart() {
    postOther("We decided to keep the invoices in RocksDB because reads are local.");
    start("clear");
    Await.until("the start itself is in the table of contents", this::isComplete);
    String first = start("clear");
    assertThat(first).contains("RocksDB");
    assertThat(start("clear")).isEqualTo(first);
    assertThat(start("clear")).isEqualTo(first);
    stop();
    open();
    assertThat(start("clear")).isEqualTo(first);
    assertThat(start("startup")).doesNotContain("RocksDB");
  }

  @Test
  void sessionStart_afterACompaction_getsTheLinesAgain_alsoAfterARestart() {
    postOther("We decided to keep the invoices in RocksDB because reads are local.");
    start("clear");
    Await.until("the start itself is in the table of contents", this::isComplete);
    assertThat(start("clear")).contains("RocksDB");
    assertThat(start("startup")).doesNotContain("RocksDB");
    stop();
    open();

    assertThat(start("startup")).doesNotContain("RocksDB");
    assertThat(start("compact")).contains("RocksDB");
    assertThat(start("startup")).doesNotContain("RocksDB");
  }

  private boolean isComplete() {
    var name = Optional.of(ProjectWorkspaces.DEFAULT.of(project));
    try (WorkspaceSource.Lease lease = engine.source().lease(name, Access.READ).join()) {
      return lease.memory().admin().status().tocComplete();
    }
  }

  /// The answer to a start of session s1. Only the first start of a session is an event.
  private String start(String source) {
    return start(source, "s1");
  }

  private String start(String source, String session) {
    String body =
        "{\"session_id\":\"%s\",\"source\":\"%s\",\"cwd\":\"%s\"}"
            .formatted(session, source, project);
    return new String(
        post("claude-code", "SessionStart", body, Map.of()).body(), StandardCharsets.UTF_8);
  }

  @Test
  void toolCalls_thatHooksAndTranscriptsName_areOfTheirWorkspaceAndSession() throws IOException {
    String call =
        "{\"session_id\":\"s1\",\"cwd\":\"%s\",\"tool_name\":\"x\",\"tool_use_id\":\"toolu_1\"}"
            .formatted(project);
    post("claude-code", "PreToolUse", call, Map.of());
    Path folder = Files.createDirectories(root.resolve("home/.claude/projects/-p"));
    Path transcript = folder.resolve("s1.jsonl");
    Files.copy(RECORDED.resolve("transcripts/claude-code.tools-and-subagent.jsonl"), transcript);
    post("claude-code", "Stop", stopOf(transcript), Map.of());

    WorkspaceName workspace = ProjectWorkspaces.DEFAULT.of(project);
    assertThat(receiver.toolUses().find("toolu_1"))
        .contains(new ToolUseDirectory.ToolUse(workspace, Optional.of(new SessionId("s1"))));
    assertThat(receiver.toolUses().find("toolu_2")).isEmpty();
    Matcher named =
        Pattern.compile("\"tool_use_id\":\\s*\"([^\"]+)\"").matcher(Files.readString(transcript));
    assertThat(named.find()).isTrue();
    Await.until(
        "the transcript is read", () -> receiver.toolUses().find(named.group(1)).isPresent());
    assertThat(receiver.toolUses().find(named.group(1)).orElseThrow().workspace())
        .isEqualTo(workspace);
  }

  @ParameterizedTest
  @CsvSource({"claude-code, true", "gemini, true", "copilot, true", "codex, false"})
  void sessionWhoseAgentChangesItsDirectory_staysInItsProject(String agent, boolean stays)
      throws IOException {
    Path other = Files.createDirectories(root.resolve("other"));
    String event =
        switch (agent) {
          case "gemini" -> "BeforeAgent";
          case "copilot" -> "userPromptSubmitted";
          default -> "UserPromptSubmit";
        };
    String prompt =
        "{\"session_id\":\"s1\",\"sessionId\":\"s1\",\"prompt_id\":\"p1\",\"prompt\":\"hello there\",\"cwd\":\"%s\"}"
            .formatted(other);

    post(agent, event, prompt, Map.of("memory-variable-CLAUDE_PROJECT_DIR", project.toString()));

    assertThat(events(stays ? project : other)).isPositive();
    assertThat(events(stays ? other : project)).isZero();
  }

  @Test
  void sessionAfterAClear_knowsItsParent_alsoWhenItsEndIsStillInTheSpool() throws IOException {
    String end = "{\"session_id\":\"s1\",\"reason\":\"clear\",\"cwd\":\"%s\"}".formatted(project);
    spool("1-a", "SessionEnd", end);
    start("clear", "s2");
    start("clear", "s3");
    start("startup", "s4");

    assertThat(parent("s2")).contains("s1");
    assertThat(parent("s3")).contains("s1");
    assertThat(parent("s4")).isEmpty();
    spool("2-a", "SessionEnd", end.replace("s1", "s2"));
    start("clear", "s5");
    assertThat(parent("s5")).contains("s2");
  }

  @Test
  void sessionAfterAClear_whoseEndIsBehindManyEntriesOfTheSpool_knowsItsParent() throws Exception {
    stop();
    var gate = new CompletableFuture<Void>();
    var begun = new CountDownLatch(1);
    open(answeringWithin(Duration.ofSeconds(10)), source -> slowWrites(source, gate, begun));
    try {
      spool("000-a", "UserPromptSubmit", prompt("p0", "hello"));
      assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();
      // What is spooled from here on is read after the gate.
      for (int i = 1; i <= 70; i++) {
        spool("%03d-a".formatted(i), "UserPromptSubmit", prompt("p" + i, "hello"));
      }
      spool(
          "100-a",
          "SessionEnd",
          "{\"session_id\":\"s1\",\"reason\":\"clear\",\"cwd\":\"%s\"}".formatted(project));
      String start =
          "{\"session_id\":\"s2\",\"source\":\"clear\",\"cwd\":\"%s\"}".formatted(project);
      CompletableFuture<HttpReply> reply =
          receiver.answer(call("claude-code", "SessionStart", start, Map.of()));
      gate.complete(null);
      reply.join();

      assertThat(parent("s2")).contains("s1");
    } finally {
      gate.complete(null);
    }
  }

  /// Opens a workspace for writing only after the gate.
  ///
  /// @param begun is told when it is to be opened
  private static WorkspaceSource slowWrites(
      WorkspaceSource inner, CompletableFuture<Void> gate, CountDownLatch begun) {
    return new Leases(
        inner,
        access -> {
          if (access == Access.READ) {
            return CompletableFuture.completedFuture(null);
          }
          begun.countDown();
          return gate;
        });
  }

  private Optional<String> parent(String session) {
    Event start =
        StoredEvents.of(engine, project).stream()
            .filter(event -> event.session().equals(new SessionId(session)))
            .findFirst()
            .orElseThrow();
    return Optional.ofNullable(start.metadata().get(AgentMetadata.PARENT));
  }

  @Test
  void transcript_thatWasImported_isReadOnFromThere_unlessItWentElsewhere() throws IOException {
    Path same = imported("s1", ProjectWorkspaces.DEFAULT.of(project));
    post("claude-code", "Stop", stopOf(same), Map.of());
    // The start of the session and the second prompt.
    Await.until("what is new is stored", () -> events() >= 2);
    Await.until(
        "the place is kept",
        () ->
            new TranscriptPlaces(data).of(Agent.CLAUDE_CODE, same).offset()
                == same.toFile().length());
    assertThat(events()).isEqualTo(2);

    Path other = imported("s2", new WorkspaceName("elsewhere"));
    post("claude-code", "Stop", stopOf(other), Map.of());
    Await.until("all of it is stored", () -> events() == 4);
  }

  /// A transcript of two prompts, the first of which was imported.
  private Path imported(String session, WorkspaceName workspace) throws IOException {
    Path folder = Files.createDirectories(root.resolve("home/.claude/projects/-p"));
    Path transcript = folder.toRealPath().resolve(session + ".jsonl");
    Files.writeString(transcript, line(session + "u1", session + "p1", "hello"));
    var place =
        new TranscriptPlaces.Place(
            Files.size(transcript),
            "",
            Optional.of(project),
            Optional.of(workspace),
            /* followed= */ false,
            /* prompted= */ true);
    new TranscriptPlaces(data).keep(Agent.CLAUDE_CODE, transcript, place);
    Files.writeString(
        transcript, line(session + "u2", session + "p2", "again"), StandardOpenOption.APPEND);
    return transcript;
  }

  @Test
  void transcript_isReadFromItsPlace_andOneOutsideTheRootsIsRefused() throws IOException {
    Path folder = Files.createDirectories(root.resolve("home/.claude/projects/-p"));
    Path transcript = folder.resolve("s1.jsonl");
    Files.writeString(transcript, line("u1", "p1", "hello") + "{\"type\":\"us");
    String first = stopOf(transcript);
    post("claude-code", "Stop", first, Map.of());
    Await.until("the transcript is stored", () -> events() >= 2);
    long before = events();
    stop();
    Files.writeString(transcript, line("u1", "p1", "hello") + line("u2", "p2", "again"));
    open();
    Await.until("what was missed is stored", () -> events() == before + 1);

    Path secret = Files.writeString(root.resolve("secret.jsonl"), line("u3", "p3", "secret"));
    post("claude-code", "Stop", stopOf(secret), Map.of());
    Await.until("it is refused", () -> receiver.counts().of(Outcome.TRANSCRIPT_REFUSED) == 1);
    assertThat(events()).isEqualTo(before + 1);
  }

  @Test
  void transcript_thatIsWrittenAfterTheLastHook_isRead() throws IOException {
    Path folder = Files.createDirectories(root.resolve("home/.claude/projects/-p"));
    Path transcript = Files.writeString(folder.resolve("s1.jsonl"), line("u1", "p1", "hello"));
    post("claude-code", "Stop", stopOf(transcript), Map.of());
    Await.until("the transcript is stored", () -> events() >= 2);
    long before = events();
    Files.writeString(transcript, line("u2", "p2", "again"), StandardOpenOption.APPEND);

    Await.until("its end is stored", () -> events() == before + 1);
  }

  @Test
  void transcript_withALineThatIsNoJson_isReadOn_andTheLineCounted() throws IOException {
    Path folder = Files.createDirectories(root.resolve("home/.claude/projects/-p"));
    Path transcript =
        Files.writeString(
            folder.resolve("s1.jsonl"),
            line("u1", "p1", "hello") + "{\"type\":\"us\n" + line("u2", "p2", "again"));
    post("claude-code", "Stop", stopOf(transcript), Map.of());

    // The start of the session and two prompts.
    Await.until("the transcript is stored", () -> receiver.counts().of(Outcome.STORED) == 3);
    Await.until(
        "the line is counted",
        () -> receiver.counts().of(Outcome.TRANSCRIPT_LINES_UNREADABLE) == 1);
    assertThat(receiver.report(Map.of()).hooks()).containsEntry("transcript_lines_unreadable", 1L);
  }

  private String stopOf(Path transcript) {
    return "{\"session_id\":\"s1\",\"cwd\":\"%s\",\"transcript_path\":\"%s\"}"
        .formatted(project, transcript);
  }

  private static String line(String uuid, String prompt, String text) {
    return "{\"parentUuid\":null,\"promptId\":\"%s\",\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":\"%s\"},\"uuid\":\"%s\",\"timestamp\":\"2026-01-01T00:00:00Z\",\"sessionId\":\"s1\"}\n"
        .formatted(prompt, text, uuid);
  }
}
