package dev.agentmemory.gateway.hook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.agents.Agent;
import dev.agentmemory.agents.HookMessage;
import dev.agentmemory.agents.event.AgentMetadata;
import dev.agentmemory.agents.recording.CaptureFile;
import dev.agentmemory.agents.transcript.TranscriptPlaces;
import dev.agentmemory.agents.transcript.TranscriptRoots;
import dev.agentmemory.engine.Engine;
import dev.agentmemory.engine.config.EngineConfig;
import dev.agentmemory.gateway.hook.HookCounts.Outcome;
import dev.agentmemory.spi.SystemServices;
import dev.agentmemory.types.Event;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
final class TranscriptFollowerTest {

  private static final int SESSIONS = 1100;
  private static final Instant NOW = Instant.parse("2026-11-25T10:00:00Z");

  @TempDir Path root;
  private Path data;
  private Path transcripts;
  private Engine engine;
  private HookCounts counts;
  private HookStore store;
  private TranscriptFollower follower;

  /// Is done when the follower asks for the time.
  private Runnable atTime = () -> {};

  @BeforeEach
  void start() throws IOException {
    data = Files.createDirectories(root.resolve("data"));
    transcripts = Files.createDirectories(root.resolve("home/.claude/projects/-p"));
    openStore();
    open();
  }

  private void openStore() {
    engine = Engine.open(SystemServices.ofMachine(), EngineConfig.defaults(data), () -> {});
  }

  /// The end of a daemon, and the start of the next one.
  private void restart() {
    engine.close();
    openStore();
    open();
  }

  private void open() {
    var config =
        new HookConfig(
            data, AgentsConfig.DEFAULT, new TranscriptRoots(root.resolve("home"), Map.of()));
    counts = new HookCounts();
    store = new HookStore(config, engine.source(), counts);
    // A clock that stands still never looks at a transcript again.
    InstantSource clock =
        () -> {
          atTime.run();
          return NOW;
        };
    follower = new TranscriptFollower(clock, config, store, counts);
  }

  @AfterEach
  void stop() {
    engine.close();
  }

  /// A hook of a session.
  private HookStore.Read hook(String session) {
    String stop =
        "{\"session_id\":\"%s\",\"cwd\":\"%s\",\"transcript_path\":\"%s\"}"
            .formatted(session, root, transcripts.resolve(session + ".jsonl"));
    return store.read(new HookMessage(Agent.CLAUDE_CODE, "Stop", stop, Map.of(), NOW));
  }

  /// A hook that tells of a prompt itself.
  private HookStore.Read prompt(String session, String id) {
    String prompt =
        ("{\"session_id\":\"%1$s\",\"prompt_id\":\"%2$s\",\"cwd\":\"%3$s\",\"prompt\":\"hello\","
                + "\"transcript_path\":\"%4$s\"}")
            .formatted(session, session + id, root, transcripts.resolve(session + ".jsonl"));
    return store.read(
        new HookMessage(Agent.CLAUDE_CODE, "UserPromptSubmit", prompt, Map.of(), NOW));
  }

  private List<String> storedTexts() {
    return StoredEvents.of(engine, root).stream()
        .map(Event::text)
        .filter(text -> !text.isEmpty())
        .toList();
  }

  private void append(String session, String line) throws IOException {
    Files.writeString(
        transcripts.resolve(session + ".jsonl"),
        line,
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }

  private void write(String session, String id) throws IOException {
    append(
        session,
        ("{\"promptId\":\"%s\",\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":\"hello\"},"
                + "\"uuid\":\"%s\",\"timestamp\":\"2026-01-01T00:00:00Z\",\"sessionId\":\"%s\"}\n")
            .formatted(session + id, session + id, session));
  }

  private void call(String session, String command) throws IOException {
    append(
        session,
        ("{\"promptId\":\"p1\",\"type\":\"assistant\",\"message\":{\"role\":\"assistant\",\"content\":["
                + "{\"type\":\"tool_use\",\"id\":\"toolu_1\",\"name\":\"Bash\",\"input\":{\"command\":\"%s\"}}]},"
                + "\"uuid\":\"call\",\"timestamp\":\"2026-01-01T00:00:01Z\",\"sessionId\":\"%s\"}\n")
            .formatted(command, session));
  }

  private void returned(String session, String result) throws IOException {
    append(
        session,
        ("{\"promptId\":\"p1\",\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":["
                + "{\"type\":\"tool_result\",\"tool_use_id\":\"toolu_1\",\"content\":\"%s\"}]},"
                + "\"uuid\":\"result\",\"timestamp\":\"2026-01-03T00:00:00Z\",\"sessionId\":\"%s\"}\n")
            .formatted(result, session));
  }

  private TranscriptPlaces.Place place(String session) throws IOException {
    return new TranscriptPlaces(data)
        .of(Agent.CLAUDE_CODE, transcripts.toRealPath().resolve(session + ".jsonl"));
  }

  private void readAll() {
    Duration wait;
    do {
      wait = follower.step();
    } while (wait.isZero());
  }

  @Test
  void transcriptsOfManySessions_thatHooksNameAtOnce_areAllRead_alsoAfterARestart()
      throws IOException {
    for (int i = 0; i < SESSIONS; i++) {
      write("s" + i, "p1");
      follower.follow(hook("s" + i));
    }
    readAll();

    // The start of each session and its prompt.
    assertThat(counts.of(Outcome.STORED)).isEqualTo(2 * SESSIONS);
    assertThat(counts.of(Outcome.TRANSCRIPT_FAILED)).isZero();
    for (int i = 0; i < SESSIONS; i++) {
      write("s" + i, "p2");
    }
    open();
    readAll();
    assertThat(counts.of(Outcome.STORED)).isEqualTo(SESSIONS);
  }

  @Test
  void transcriptOfAStoredHook_thatTheDaemonEndedBeforeReading_isReadAtTheNextStart()
      throws IOException {
    write("s1", "p1");
    call("s1", "ls");
    returned("s1", "done");
    HookStore.Read hook = prompt("s1", "p1");
    store.store(hook).join();
    follower.follow(hook);
    assertThat(storedTexts()).containsExactly("hello");

    restart();
    readAll();
    assertThat(storedTexts()).containsExactlyInAnyOrder("hello", "done");
    assertThat(place("s1").offset()).isEqualTo(Files.size(transcripts.resolve("s1.jsonl")));
  }

  @Test
  void transcriptThatIsWrittenAfterTheDaemonHasLookedForIt_isReadAtTheNextStart()
      throws IOException {
    HookStore.Read hook = hook("s1");
    store.store(hook).join();
    follower.follow(hook);
    readAll();
    write("s1", "p1");

    restart();
    readAll();
    assertThat(storedTexts()).containsExactly("hello");
  }

  @Test
  void transcriptThatIsGoneAtTheStart_isForgotten_untilAHookNamesItAgain() throws IOException {
    write("s1", "p1");
    HookStore.Read hook = hook("s1");
    store.store(hook).join();
    follower.follow(hook);
    readAll();
    Files.delete(transcripts.resolve("s1.jsonl"));
    restart();
    store.store(hook).join();
    readAll();
    assertThat(place("s1")).isEqualTo(TranscriptPlaces.Place.START);

    store.store(hook).join();
    assertThat(place("s1").followed()).isTrue();
  }

  @Test
  void transcriptThatMayNotBeRead_orIsOfAProjectThatIsNotRecorded_isNotNoted() throws IOException {
    transcripts = Files.createDirectories(root.resolve("elsewhere"));
    write("s1", "p1");
    store.store(hook("s1")).join();
    transcripts = root.resolve("home/.claude/projects/-p");
    capture(/* off= */ true);
    store.store(hook("s2")).join();

    assertThat(new TranscriptPlaces(data).all()).isEmpty();
  }

  @Test
  void placeThatIsReached_isNotReplacedByTheNextHook_alsoOfTheNextDaemon() throws IOException {
    write("s1", "p1");
    HookStore.Read hook = hook("s1");
    store.store(hook).join();
    follower.follow(hook);
    readAll();
    TranscriptPlaces.Place reached = place("s1");
    assertThat(reached.offset()).isPositive();

    Path kept;
    try (Stream<Path> files = Files.list(data.resolve("transcripts"))) {
      kept = files.findFirst().orElseThrow();
    }
    Files.setLastModifiedTime(kept, FileTime.fromMillis(1));
    store.store(hook).join();
    restart();
    store.store(hook).join();
    assertThat(place("s1")).isEqualTo(reached);
    assertThat(Files.getLastModifiedTime(kept)).isEqualTo(FileTime.fromMillis(1));
  }

  /// Also one that takes several steps.
  @Test
  void transcriptThatAHookNames_isReadBeforeThoseThatWereKnownAtTheStart() throws IOException {
    write("s1", "p1");
    follower.follow(hook("s1"));
    readAll();
    long before = place("s1").offset();
    // As long as what is read in one step.
    append("s1", "{\"type\":\"other\",\"text\":\"%s\"}\n".formatted("x".repeat(4 << 20)));
    write("s1", "p2");
    write("s2", "p1");
    open();
    follower.step();
    long between = place("s1").offset();
    assertThat(between).isGreaterThan(before);

    follower.follow(hook("s2"));
    follower.step();
    assertThat(place("s2").offset()).isPositive();
    assertThat(place("s1").offset()).isEqualTo(between);
    readAll();
    assertThat(place("s1").offset()).isEqualTo(Files.size(transcripts.resolve("s1.jsonl")));
    assertThat(counts.of(Outcome.TRANSCRIPT_FAILED)).isZero();
  }

  @Test
  void transcript_isNotReadWhileCaptureIsOff_alsoByADaemonThatIsStartedThen() throws IOException {
    write("s1", "p1");
    HookStore.Read hook = hook("s1");
    follower.follow(hook);
    readAll();
    TranscriptPlaces.Place before = place("s1");
    assertThat(before.offset()).isPositive();

    call("s1", "secret");
    follower.follow(hook);
    new CaptureFile(false, Set.of()).with(/* nothing= */ true, NOW).write(data);
    readAll();
    assertThat(place("s1")).isEqualTo(before);

    open();
    readAll();
    assertThat(place("s1")).isEqualTo(before);
    assertThat(counts.all()).isEmpty();
  }

  @Test
  void partThatIsReadWhenCaptureIsSwitchedOff_isStoredOnceItIsOnAgain() throws IOException {
    write("s1", "p1");
    HookStore.Read hook = hook("s1");
    follower.follow(hook);
    // A step asks for the time at its beginning, and then for each part that it reads.
    var asked = new AtomicInteger();
    atTime =
        () -> {
          if (asked.incrementAndGet() == 2) {
            capture(/* off= */ true);
          }
        };
    readAll();
    assertThat(asked).hasValueGreaterThanOrEqualTo(2);
    assertThat(counts.all()).isEmpty();
    assertThat(place("s1")).isEqualTo(TranscriptPlaces.Place.START);

    capture(/* off= */ false);
    follower.follow(hook);
    readAll();
    // The start of the session and its prompt.
    assertThat(counts.of(Outcome.STORED)).isEqualTo(2);
  }

  @Test
  void look_whileTheSwitchOfCaptureCannotBeRead_isNoMessageThatWasNotRecorded() throws IOException {
    write("s1", "p1");
    HookStore.Read hook = hook("s1");
    Files.writeString(data.resolve(CaptureFile.NAME), "torn");
    follower.follow(hook);
    readAll();
    assertThat(hook("s1").recorded()).isFalse();

    assertThat(counts.all()).isEmpty();
    assertThat(place("s1")).isEqualTo(TranscriptPlaces.Place.START);
  }

  private void capture(boolean off) {
    try {
      CaptureFile.read(data).with(off, NOW).write(data);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void callThatWasMadeWhileCaptureWasOff_isStoredWithoutItsInput_whichNoPlaceHas()
      throws IOException {
    new CaptureFile(false, Set.of())
        .with(/* nothing= */ true, Instant.parse("2025-12-31T00:00:00Z"))
        .with(/* nothing= */ false, Instant.parse("2026-01-02T00:00:00Z"))
        .write(data);
    call("s1", "secret");
    HookStore.Read hook = hook("s1");
    follower.follow(hook);
    readAll();
    assertThat(place("s1").state()).contains("toolu_1").doesNotContain("secret");

    returned("s1", "done");
    follower.follow(hook);
    readAll();
    assertThat(StoredEvents.of(engine, root))
        .singleElement()
        .satisfies(event -> {
          assertThat(event.text()).isEqualTo("done");
          assertThat(event.metadata())
              .containsEntry(AgentMetadata.TOOL, "Bash")
              .doesNotContainKey(AgentMetadata.TOOL_INPUT);
        });
  }

  @Test
  void transcriptThatManyHooksName_leavesRoomForOthers() throws IOException {
    write("s1", "p1");
    write("s2", "p1");
    HookStore.Read often = hook("s1");
    for (int i = 0; i < 40_000; i++) {
      follower.follow(often);
    }
    follower.follow(hook("s2"));
    readAll();

    assertThat(counts.of(Outcome.STORED)).isEqualTo(4);
    assertThat(counts.of(Outcome.TRANSCRIPT_FAILED)).isZero();
  }
}
