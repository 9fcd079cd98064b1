package dev.agentmemory.engine.internal.local;

import static dev.agentmemory.testkit.TestEvents.START;
import static dev.agentmemory.testkit.TestEvents.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.store.Commit;
import dev.agentmemory.testkit.store.HeapStore;
import dev.agentmemory.types.Session;
import dev.agentmemory.types.SessionId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SessionListsTest {

  private final HeapStore store = new HeapStore(ZoneOffset.UTC);
  private final LocalSessions sessions = new LocalSessions(store);

  @AfterEach
  void close() {
    store.close();
  }

  private void say(String session, int minute) {
    store.commit(
        Commit.append(
            List.of(message(session, START.plusSeconds(60L * minute), "text " + minute))));
  }

  private static List<String> ids(Iterable<Session> read) {
    List<String> ids = new ArrayList<>();
    read.forEach(session -> ids.add(session.id().value()));
    return ids;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 100})
  void latest_isByTheLastEvent_thenById_pageByPage(int limit) {
    say("a", 1);
    say("b", 5);
    say("c", 3);
    say("d", 3);
    say("a", 9);
    List<Session> read = Page.stream(PageRequest.of(limit), sessions::latest).toList();
    assertThat(ids(read)).containsExactly("a", "b", "c", "d");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 100})
  void startedBy_hasTheSubagentsOfASession_andNothingElse(int limit) {
    List.of("p", "p-2", "p:a", "p:b", "p:b:c", "p;", "q:a").forEach(session -> say(session, 1));
    List<Session> read =
        Page.stream(PageRequest.of(limit), page -> sessions.startedBy(new SessionId("p"), page))
            .toList();
    assertThat(ids(read)).containsExactly("p:a", "p:b", "p:b:c");
    assertThat(sessions.startedBy(new SessionId("p-2"), PageRequest.first()).items()).isEmpty();
  }

  @Test
  void startedBy_longestId_hasNone() {
    SessionId longest = new SessionId("x".repeat(SessionId.MAX_BYTES));
    assertThat(sessions.startedBy(longest, PageRequest.first()).items()).isEmpty();
  }
}
