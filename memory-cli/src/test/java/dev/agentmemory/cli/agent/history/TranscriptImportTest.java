package dev.agentmemory.cli.agent.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.agentmemory.agents.Agent;
import dev.agentmemory.agents.event.AgentMetadata;
import dev.agentmemory.agents.recording.CaptureFile;
import dev.agentmemory.agents.recording.RecordingRules;
import dev.agentmemory.agents.transcript.FoundTranscripts;
import dev.agentmemory.agents.transcript.TranscriptPlaces;
import dev.agentmemory.agents.transcript.TranscriptPlaces.Place;
import dev.agentmemory.cli.agent.history.ImportReply.LeftOut;
import dev.agentmemory.cli.terminal.Terminal;
import dev.agentmemory.spi.SystemServices;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// When the places of transcripts are kept.
class TranscriptImportTest {

  private static final int PROMPTS = 600;

  @TempDir private Path data;

  private final RecordedImports daemon = new RecordedImports();
  private Path file = Path.of("");
  private TranscriptPlaces places = new TranscriptPlaces(Path.of(""));

  @BeforeEach
  void write() throws IOException {
    file =
        Files.write(
            data.resolve("s1.jsonl"),
            IntStream.range(0, PROMPTS).mapToObj(TranscriptImportTest::line).toList());
    places = new TranscriptPlaces(data);
  }

  private static String line(int number) {
    return ("{\"promptId\":\"p%1$d\",\"type\":\"user\",\"message\":{\"role\":\"user\","
            + "\"content\":\"prompt %1$d\"},\"uuid\":\"u%1$d\",\"sessionId\":\"s1\","
            + "\"timestamp\":\"2026-01-01T00:00:00Z\"}")
        .formatted(number);
  }

  @Test
  void place_isKeptWhenTheEventsBeforeItAreDurable() throws IOException {
    daemon.during = () -> assertThat(place()).isEqualTo(Place.START);
    ImportReply reply = run();
    assertThat(reply.stored()).isEqualTo(PROMPTS + 1);
    assertThat(place().offset()).isEqualTo(Files.size(file));
    assertThat(sent()).doesNotHaveDuplicates();
  }

  /// As when the command or the daemon is killed.
  @Test
  void importThatFailsInTheMiddle_keepsNoPlace_andTheNextSendsAllEventsAgain() throws IOException {
    daemon.during =
        () -> {
          if (daemon.calls.size() == 2) {
            throw new MemoryException(ErrorCode.UNREACHABLE, "killed");
          }
        };
    assertThatExceptionOfType(MemoryException.class).isThrownBy(this::run).withMessage("killed");
    assertThat(place()).isEqualTo(Place.START);
    List<EventId> before = sent();
    daemon.calls.clear();
    daemon.during = () -> {};
    ImportReply reply = run();
    assertThat(reply.events()).isEqualTo(PROMPTS + 1);
    assertThat(sent()).hasSize(PROMPTS + 1).containsAll(before).doesNotHaveDuplicates();
    assertThat(place().offset()).isEqualTo(Files.size(file));
  }

  @Test
  void placeThatHasNotMoved_isNotKeptAgain() throws IOException {
    run();
    Path kept = data.resolve("transcripts").resolve(kept().getFirst());
    Files.setLastModifiedTime(kept, FileTime.fromMillis(1));

    assertThat(run().events()).isZero();
    assertThat(Files.getLastModifiedTime(kept)).isEqualTo(FileTime.fromMillis(1));
  }

  /// Calls that wait for their results are no events, but their inputs are in the states.
  @Test
  void places_areKeptWhenTheirStatesAreLarge_howeverFewEventsThereAre() throws IOException {
    file = Files.createDirectory(data.resolve("sessions"));
    String calls =
        IntStream.range(0, 64)
            .mapToObj(number ->
                "{\"type\":\"tool.execution_start\",\"data\":{\"toolCallId\":\"c%d\",\"arguments\":\"%s\"}}\n"
                    .formatted(number, "x".repeat(2000)))
            .collect(Collectors.joining());
    for (int session = 0; session < 150; session++) {
      String start =
          "{\"type\":\"session.start\",\"data\":{\"sessionId\":\"s%d\"}}\n".formatted(session);
      Files.writeString(file.resolve(session + ".jsonl"), start + calls);
    }
    List<Integer> before = new CopyOnWriteArrayList<>();
    daemon.during = () -> before.add(kept().size());

    assertThat(run(Agent.COPILOT, Optional.empty(), /* again= */ false).stored()).isEqualTo(150);
    assertThat(before).hasSize(2);
    assertThat(before.getFirst()).isZero();
    assertThat(before.getLast()).isBetween(100, 149);
    assertThat(kept()).hasSize(150);
  }

  /// The files of the places that are kept.
  private List<String> kept() {
    String[] names = data.resolve("transcripts").toFile().list();
    return names == null ? List.of() : List.of(names);
  }

  @Test
  void placeOfATranscriptThatTheDaemonFollows_isMovedForItsWorkspaceOnly() throws IOException {
    Optional<WorkspaceName> shop = Optional.of(new WorkspaceName("shop"));
    var followed =
        new Place(0, "", Optional.of(data), shop, /* followed= */ true, /* prompted= */ false);
    places.keep(Agent.CLAUDE_CODE, file, followed);

    assertThat(run(Optional.of(new WorkspaceName("other"))).stored()).isEqualTo(PROMPTS + 1);
    assertThat(place()).isEqualTo(followed);

    assertThat(run(shop).events()).isEqualTo(PROMPTS + 1);
    assertThat(place().offset()).isEqualTo(Files.size(file));
    assertThat(place().followed()).isTrue();
  }

  @Test
  void callThatWaitsForItsResult_whileCaptureIsOff_isKeptWithoutItsInput() throws IOException {
    String call =
        "{\"type\":\"assistant\",\"sessionId\":\"s1\",\"timestamp\":\"2026-01-01T00:00:00Z\",\"message\":"
            + "{\"content\":[{\"type\":\"tool_use\",\"id\":\"t1\",\"input\":{\"command\":\"secret\"}}]}}\n";
    Files.writeString(file, call, StandardOpenOption.APPEND);
    new CaptureFile(true, Set.of()).write(data);

    assertThat(run().stored()).isZero();
    assertThat(place().offset()).isEqualTo(Files.size(file));
    assertThat(place().state()).contains("t1").doesNotContain("secret");
  }

  @Test
  void sessions_whileTheSwitchOfCaptureCannotBeRead_areLeftOut_andTheReplyNamesTheFile()
      throws IOException {
    Path switched = Files.writeString(data.resolve(CaptureFile.NAME), "torn");
    ImportReply reply = run();

    assertThat(reply.stored()).isZero();
    assertThat(reply.leftOut())
        .containsExactly(Map.entry(LeftOut.CAPTURE_UNREADABLE, PROMPTS + 1L));
    var bytes = new ByteArrayOutputStream();
    var out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    reply.print(new Terminal(out, out, Optional.of(200), /* colours= */ false));
    assertThat(bytes.toString(StandardCharsets.UTF_8))
        .contains("left out: 601 events because capture.json cannot be read")
        .contains("cannot read " + switched + "; run `memory capture on`")
        .doesNotContain("is or was off");
  }

  @Test
  void resultOfACallThatWasNotRecorded_isOneEvent_alsoWhenAllIsImportedAgain() throws IOException {
    new CaptureFile(false, Set.of())
        .with(/* nothing= */ true, Instant.parse("2025-12-31T00:00:00Z"))
        .with(/* nothing= */ false, Instant.parse("2026-01-02T00:00:00Z"))
        .write(data);
    file =
        Files.writeString(
            data.resolve("events.jsonl"),
            """
            {"type":"session.start","timestamp":"2026-01-01T00:00:00Z","data":{"sessionId":"s1"}}
            {"type":"tool.execution_start","timestamp":"2026-01-01T00:00:01Z",\
            "data":{"toolCallId":"c1","toolName":"bash","arguments":{"command":"secret"}}}
            {"type":"tool.execution_complete","timestamp":"2026-01-03T00:00:00Z",\
            "data":{"toolCallId":"c1","success":true,"result":"done"}}
            """);

    run(Agent.COPILOT, Optional.empty(), /* again= */ false);
    assertThat(results())
        .singleElement()
        .satisfies(
            event -> assertThat(event.metadata()).doesNotContainKey(AgentMetadata.TOOL_INPUT));
    run(Agent.COPILOT, Optional.empty(), /* again= */ true);

    assertThat(results()).hasSize(2);
    assertThat(results().getLast().metadata().get(AgentMetadata.TOOL_INPUT)).contains("secret");
    assertThat(results()).extracting(Event::id).containsOnly(results().getFirst().id());
  }

  private List<Event> results() {
    return daemon.calls.stream()
        .flatMap(List::stream)
        .filter(event -> event.type() == EventType.TOOL_RESULT)
        .toList();
  }

  private List<EventId> sent() {
    return daemon.calls.stream().flatMap(List::stream).map(Event::id).toList();
  }

  private Place place() {
    return places.of(Agent.CLAUDE_CODE, file);
  }

  private ImportReply run() throws IOException {
    return run(Optional.empty());
  }

  private ImportReply run(Optional<WorkspaceName> workspace) throws IOException {
    return run(Agent.CLAUDE_CODE, workspace, /* again= */ false);
  }

  private ImportReply run(Agent agent, Optional<WorkspaceName> workspace, boolean again)
      throws IOException {
    var nowhere = new PrintStream(OutputStream.nullOutputStream());
    try (var target = new DaemonTarget(_ -> workspace, _ -> daemon)) {
      return new TranscriptImport(
              SystemServices.ofMachine(),
              agent,
              places,
              target,
              new Terminal(nowhere, nowhere, Optional.of(80), /* colours= */ false),
              new TranscriptImport.Options(
                  Optional.empty(),
                  again,
                  /* dryRun= */ false,
                  RecordingRules.ofImport(data, /* dryRun= */ false)))
          .run(FoundTranscripts.of(file));
    }
  }
}
