package dev.agentmemory.agents.recording;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.agents.event.AgentMetadata;
import dev.agentmemory.agents.event.Origin;
import dev.agentmemory.agents.project.ProjectWorkspaces;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventRole;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.WorkspaceName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordingRulesTest {

  private static final Optional<String> WORD = Optional.of("#private");

  @TempDir private Path data;

  private int events;

  private RecordingRules daemon() {
    return RecordingRules.ofDaemon(data, ProjectWorkspaces.DEFAULT, Set.of(), WORD);
  }

  private Event event(
      String session, EventType type, EventRole role, String text, Map<String, String> metadata) {
    return new Event(
        new EventId("%026d".formatted(events++)),
        new SessionId(session),
        Instant.EPOCH,
        type,
        role,
        text,
        metadata,
        Optional.empty(),
        0);
  }

  private Event prompt(String session, String text) {
    return event(session, EventType.USER_MESSAGE, EventRole.USER, text, Map.of());
  }

  private Event ofProgram(String session, String text) {
    return event(
        session,
        EventType.USER_MESSAGE,
        EventRole.SYSTEM,
        text,
        Map.of(AgentMetadata.ORIGIN, Origin.PROGRAM.word()));
  }

  private Event start(String session, String parent, String reason) {
    return event(
        session,
        EventType.SESSION_START,
        EventRole.SYSTEM,
        "",
        Map.of(AgentMetadata.PARENT, parent, AgentMetadata.REASON, reason));
  }

  @Test
  void wordInALaterPrompt_changesNothing_alsoAfterARestart() {
    daemon().admitted(List.of(prompt("s", "hello")));

    List<Event> later = List.of(prompt("s", "what does #private do?"));
    assertThat(daemon().admitted(later)).isEqualTo(later);
  }

  @Test
  void openSessions_areForgottenFromTheOldestOn() {
    RecordingRules rules = daemon();
    IntStream.rangeClosed(0, 3 * PrivateSessions.MOST_OPEN)
        .forEach(i -> rules.admitted(List.of(prompt("s" + i, "hello"))));

    RecordingRules after = daemon();
    Event old = prompt("s0", "#private");
    Event recent = prompt("s" + 3 * PrivateSessions.MOST_OPEN, "#private");
    assertThat(after.admitted(List.of(old, recent))).containsExactly(recent);
  }

  @Test
  void privateSession_itsSubagentsAndForks_areLeftOut_alsoAfterARestart() {
    Event first = start("s", "", "startup");
    assertThat(daemon().admitted(List.of(first, prompt("s", "#private hello")))).isEmpty();

    Event fork = start("f", "s", "fork");
    Event cleared = start("c", "s", "clear");
    Event child = start("other-id", "s:a1", "subagent");
    assertThat(
            daemon()
                .admitted(
                    List.of(
                        prompt("s", "more"),
                        prompt("s:a1", "task"),
                        fork,
                        prompt("f", "more"),
                        child,
                        ofProgram("other-id", "task"),
                        cleared)))
        .containsExactly(cleared);
  }

  @Test
  void subagentWithASessionOfItsOwn_isPrivateFromItsParentsEventOn() {
    RecordingRules rules = daemon();
    rules.admitted(List.of(prompt("s", "#private")));
    Event answer =
        event("child", EventType.ASSISTANT_MESSAGE, EventRole.ASSISTANT, "done", Map.of());
    Event stop =
        event(
            "s",
            EventType.SUBAGENT_STOP,
            EventRole.SYSTEM,
            "",
            Map.of(AgentMetadata.CHILD, "child"));

    assertThat(rules.admitted(List.of(answer, stop))).isEmpty();
  }

  @Test
  void promptOfAProgram_canBeTheFirst_butNoNotification() {
    RecordingRules rules = daemon();

    assertThat(rules.admitted(List.of(ofProgram("p", "#private list the files")))).isEmpty();
    assertThat(rules.isPrivate(new SessionId("p"))).isTrue();
    Event note = ofProgram("q", "<task-notification>#private</task-notification>");
    assertThat(rules.admitted(List.of(note))).containsExactly(note);
  }

  @Test
  void transcript_decides_whereTheFirstPromptCameByNoHook() {
    RecordingRules rules = daemon();
    rules.admitted(List.of(prompt("s", "the second prompt")));

    assertThat(rules.admitted(List.of(prompt("s", "#private"), prompt("s", "more")), false))
        .isEmpty();
    Event later = prompt("t", "#private");
    assertThat(rules.admitted(List.of(later), /* prompted= */ true)).containsExactly(later);
    List<Event> both = List.of(prompt("u", "hello"), prompt("u", "#private"));
    assertThat(rules.admitted(both, false)).isEqualTo(both);
  }

  @Test
  void privateSession_thatAnImportFinds_isPrivateForTheRunningDaemon_andForALaterImport() {
    RecordingRules running = daemon();
    List<Event> first = List.of(prompt("s", "#private"));
    assertThat(RecordingRules.ofImport(data, /* dryRun= */ true).admitted(first, false)).isEmpty();
    assertThat(running.isPrivate(new SessionId("s"))).isFalse();

    assertThat(RecordingRules.ofImport(data, false).admitted(first, false)).isEmpty();
    assertThat(running.isPrivate(new SessionId("s"))).isTrue();
    assertThat(RecordingRules.ofImport(data, false).admitted(List.of(prompt("s", "more")), true))
        .isEmpty();
  }

  @Test
  void import_usesTheWordOfTheDaemon() {
    RecordingRules.ofDaemon(data, ProjectWorkspaces.DEFAULT, Set.of(), Optional.of("#secret"));
    List<Event> events = List.of(prompt("s", "#private"));
    assertThat(RecordingRules.ofImport(data, true).admitted(events, false)).isEqualTo(events);
    assertThat(RecordingRules.ofImport(data, true).admitted(List.of(prompt("t", "#secret")), false))
        .isEmpty();

    RecordingRules.ofDaemon(data, ProjectWorkspaces.DEFAULT, Set.of(), Optional.empty());
    assertThat(RecordingRules.ofImport(data, true).admitted(events, false)).isEqualTo(events);
  }

  @Test
  void tornLine_ofAFullDisk_spoilsNoOther() throws IOException {
    daemon().admitted(List.of(prompt("s", "#private")));
    Path file = data.resolve("agents/private.txt");
    Files.writeString(file, "s\ntor");
    daemon().admitted(List.of(prompt("t", "#private")));

    assertThat(daemon().isPrivate(new SessionId("s"))).isTrue();
    assertThat(daemon().isPrivate(new SessionId("t"))).isTrue();
  }

  @Test
  void captureOffForAProject_holdsWhateverTheWorkspace() throws IOException {
    Path project = Files.createDirectory(data.resolve("project"));
    var own = ProjectWorkspaces.DEFAULT.of(project);
    new CaptureFile(false, Set.of(own.value())).write(data);

    Optional<WorkspaceName> named = Optional.of(new WorkspaceName("named"));
    assertThat(daemon().refusal(Optional.of(project), named))
        .contains(RecordingRules.Refusal.CAPTURE_OFF);
    assertThat(daemon().refusal(Optional.of(data), named)).isEmpty();
  }

  @Test
  void captureFileThatCannotBeRead_isARefusalOfItsOwn() throws IOException {
    Files.writeString(data.resolve(CaptureFile.NAME), "torn");

    assertThat(daemon().refusal(Optional.of(data), Optional.empty()))
        .contains(RecordingRules.Refusal.CAPTURE_UNREADABLE);
    assertThat(
            daemon().captured(List.of(prompt("s", "hello")), Optional.of(data), Optional.empty()))
        .isEmpty();
  }

  @Test
  void captured_afterCaptureIsOnAgain_leavesOutWhatWasSaidMeanwhile() throws IOException {
    Path project = Files.createDirectory(data.resolve("project"));
    String own = ProjectWorkspaces.DEFAULT.of(project).value();
    List<Event> events = IntStream.range(0, 6).mapToObj(this::promptAt).toList();
    new CaptureFile(false, Set.of())
        .with(true, Instant.ofEpochSecond(1))
        .with(false, Instant.ofEpochSecond(2))
        .with(own, false, Instant.ofEpochSecond(3))
        .with(own, true, Instant.ofEpochSecond(5))
        .write(data);

    assertThat(captured(events, project)).containsExactly(0, 2, 5);
    assertThat(captured(events, data)).containsExactly(0, 2, 3, 4, 5);
  }

  @Test
  void unrecorded_areAllTimesWhileNothingIsStored_andThePausesAfterwards() throws IOException {
    CaptureFile off = new CaptureFile(false, Set.of()).with(true, Instant.ofEpochSecond(1));
    off.write(data);
    assertThat(unrecorded(Instant.EPOCH)).isTrue();

    off.with(false, Instant.ofEpochSecond(3)).write(data);
    assertThat(unrecorded(Instant.EPOCH)).isFalse();
    assertThat(unrecorded(Instant.ofEpochSecond(2))).isTrue();
    assertThat(unrecorded(Instant.ofEpochSecond(3))).isFalse();
  }

  private boolean unrecorded(Instant time) {
    return daemon().unrecorded(Optional.of(data), Optional.empty()).test(time);
  }

  private Event promptAt(int second) {
    return new Event(
        new EventId("%026d".formatted(events++)),
        new SessionId("s"),
        Instant.ofEpochSecond(second),
        EventType.USER_MESSAGE,
        EventRole.USER,
        "hello",
        Map.of(),
        Optional.empty(),
        0);
  }

  private List<Integer> captured(List<Event> said, Path directory) {
    return daemon().captured(said, Optional.of(directory), Optional.empty()).stream()
        .map(event -> (int) event.timestamp().getEpochSecond())
        .toList();
  }

  @Test
  void pauses_moreThanAreKept_stillContainTheOldest() throws IOException {
    var file = new CaptureFile(false, Set.of());
    for (int i = 0; i <= 2 * CaptureFile.MOST_PAUSES; i++) {
      file =
          file.with(true, Instant.ofEpochSecond(10 + 2L * i))
              .with(false, Instant.ofEpochSecond(11 + 2L * i));
    }
    file.write(data);

    assertThat(CaptureFile.read(data).pauses()).hasSize(CaptureFile.MOST_PAUSES);
    assertThat(captured(List.of(promptAt(9), promptAt(10)), data)).containsExactly(9);
  }

  @Test
  void pauses_ofOtherProjects_areNotJoined() {
    var file = new CaptureFile(false, Set.of());
    for (int i = 0; i <= CaptureFile.MOST_PAUSES; i++) {
      String project = i == 1 ? "b" : "a";
      file =
          file.with(project, false, Instant.ofEpochSecond(10 + 2L * i))
              .with(project, true, Instant.ofEpochSecond(11 + 2L * i));
    }

    assertThat(file.pauses())
        .hasSize(CaptureFile.MOST_PAUSES)
        .allMatch(pause -> pause.project().isPresent());
  }

  @Test
  void captureFileOfAnOlderVersion_isOffSinceItWasWritten() throws IOException {
    Path file = Files.writeString(data.resolve(CaptureFile.NAME), "{\"off\":true,\"projects\":[]}");
    Files.setLastModifiedTime(file, FileTime.fromMillis(2000));
    CaptureFile.read(data).with(false, Instant.ofEpochSecond(4)).write(data);

    List<Event> said = IntStream.range(1, 6).mapToObj(this::promptAt).toList();
    assertThat(captured(said, data)).containsExactly(1, 4, 5);
  }
}
