package dev.agentmemory.cli.agent.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.agentmemory.testkit.Await;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

class DaemonTargetTest {

  private final Map<Optional<WorkspaceName>, RecordedImports> daemons = new ConcurrentHashMap<>();
  private final DaemonTarget target =
      new DaemonTarget(
          directory -> directory.map(path -> new WorkspaceName(path.toString())), this::connect);

  private RecordedImports connect(Optional<WorkspaceName> workspace) {
    return daemons.computeIfAbsent(workspace, _ -> new RecordedImports());
  }

  private RecordedImports daemon(String workspace) {
    return connect(Optional.of(new WorkspaceName(workspace)));
  }

  private void send(String workspace, List<Event> events) {
    target.send(Optional.of(Path.of(workspace)), events);
  }

  @Test
  void await_returnsWhenTheEventsOfAllWorkspacesAreAnswered() {
    send("a", TestEvents.messages("s", 2));
    send("b", TestEvents.messages("s", 3));
    target.await();
    assertThat(daemon("a").calls).extracting(List::size).containsExactly(2);
    assertThat(daemon("b").calls).extracting(List::size).containsExactly(3);
    assertThat(target.stored()).isEqualTo(5);
    assertThat(target.known() + target.refused()).isZero();
  }

  @Test
  void await_ofOneWorkspaceThatFails_fails() {
    daemon("b").failure = Optional.of(ErrorCode.DISK_FULL);
    send("a", TestEvents.messages("s", 2));
    send("b", TestEvents.messages("s", 3));
    assertThatExceptionOfType(MemoryException.class)
        .isThrownBy(target::await)
        .satisfies(failure -> assertThat(failure.code()).isEqualTo(ErrorCode.DISK_FULL));
  }

  @Test
  void eventsOfManyWorkspaces_areNotCollectedWithoutABound() {
    int each = ImportSender.MOST_CHARS - 1;
    int fit = DaemonTarget.MOST_COLLECTED / each;
    Event event = TestEvents.withText(TestEvents.messages("s", 1).getFirst(), "x".repeat(each));
    for (int i = 0; i < fit; i++) {
      send("w" + i, List.of(event));
    }
    assertThat(daemons.values()).allMatch(daemon -> daemon.calls.isEmpty());
    send("last", List.of(event));
    Await.until(
        "the events of all workspaces are sent",
        () -> daemons.values().stream().allMatch(daemon -> daemon.calls.size() == 1));
    send("next", List.of(event));
    assertThat(daemon("next").calls).isEmpty();
  }

  @Test
  void close_closesTheConnections() {
    send("a", TestEvents.messages("s", 1));
    target.close();
    assertThat(daemon("a").closed).isTrue();
  }
}
