package dev.agentmemory.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.api.Memory;
import dev.agentmemory.api.SearchReport;
import dev.agentmemory.api.WorkspaceSource;
import dev.agentmemory.api.WorkspaceSource.Access;
import dev.agentmemory.api.audit.AuditTrail;
import dev.agentmemory.api.search.ContextRequest;
import dev.agentmemory.api.search.Hit;
import dev.agentmemory.api.search.RelevanceThreshold;
import dev.agentmemory.api.search.SearchAnswer;
import dev.agentmemory.api.search.SearchRequest;
import dev.agentmemory.spi.SystemServices;
import dev.agentmemory.testkit.Await;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.WorkspaceName;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// One index of a store that workspaces share: each finds what a store of its own would show.
@Tag("slow")
class UnifiedSearchTest {

  private static final WorkspaceName ALPHA = new WorkspaceName("alpha");
  private static final WorkspaceName BETA = new WorkspaceName("beta");

  @TempDir private Path data;

  private Optional<WorkspaceFactory> opener = Optional.empty();
  private Optional<UnifiedWorkspaces> workspaces = Optional.empty();

  @BeforeEach
  void open() {
    var opened =
        new WorkspaceFactory(
            SystemServices.ofMachine(), TestConfig.plain(data), AuditTrail.NONE, () -> {});
    opener = Optional.of(opened);
    workspaces =
        Optional.of(
            new UnifiedWorkspaces(
                System::nanoTime, opened, new WorkspaceName("default"), () -> {}));
    for (WorkspaceName name : List.of(ALPHA, BETA)) {
      List<Event> talk =
          List.of(
              TestEvents.message(
                  "s", TestEvents.START, "We decided to retry with jitter, says " + name + "."),
              TestEvents.answer(
                  "s", TestEvents.START.plusSeconds(9), "Noted for " + name + ": retries."),
              TestEvents.end("s", TestEvents.START.plusSeconds(60)));
      memory(Optional.of(name)).ingest().append(talk).join();
    }
    Await.until("the events", () -> joint().search().status().events() == 6);
    // The score of one counts the others, so none may come later.
    Await.until("all periods", () -> joint().admin().status().tocComplete());
    Await.until("the index", () -> joint().search().status().behind() == 0);
    for (String level : List.of("segment", "day", "week", "month", "year")) {
      Await.until(level, () -> find(joint(), "jitter level:" + level).hits().size() == 2);
    }
  }

  @AfterEach
  void close() {
    workspaces.ifPresent(UnifiedWorkspaces::close);
    opener.ifPresent(WorkspaceFactory::close);
  }

  private Memory memory(Optional<WorkspaceName> name) {
    try (WorkspaceSource.Lease lease = workspaces.orElseThrow().lease(name, Access.WRITE).join()) {
      return lease.memory();
    }
  }

  private Memory alpha() {
    return memory(Optional.of(ALPHA));
  }

  private Memory joint() {
    return memory(Optional.empty());
  }

  private static SearchAnswer find(Memory memory, String query) {
    return memory.search().search(SearchRequest.of(query, 20, TestEvents.START));
  }

  @Test
  void namedCaller_findsItsOwnUnderPlainIds() {
    for (String query : List.of("jitter retries", "level:segment retry", "level:day retry")) {
      List<Hit> hits = find(alpha(), query).hits();
      assertThat(hits).as(query).isNotEmpty();
      assertThat(hits.toString()).doesNotContain("beta").doesNotContain("@alpha");
      assertThat(hits.getFirst().path()).as("path of " + query).isNotEmpty();
    }
    assertThat(find(alpha(), "jitter").hits().getFirst().session()).contains(new SessionId("s"));
    assertThat(find(joint(), "jitter").hits().toString()).contains("@alpha", "@beta");
  }

  @Test
  void filtersOfANamedCaller_meanItsOwnSessions() {
    assertThat(find(alpha(), "jitter session:s").hits()).hasSize(1);
    assertThat(find(alpha(), "jitter session:@beta/s").hits()).isEmpty();
    assertThat(find(joint(), "jitter session:@beta/s").hits()).hasSize(1);
  }

  @Test
  void nothingOfTheOthers_showsInFiguresOrReasons() {
    assertThat(find(alpha(), "beta").hits()).isEmpty();
    Memory stranger = memory(Optional.of(new WorkspaceName("gamma")));
    assertThat(find(stranger, "jitter").nothingBecause()).contains("the index is empty");
    SearchReport report = alpha().search().status();
    assertThat(report.events() + report.summaries() + report.behind() + report.bytes()).isZero();
    assertThat(
            alpha()
                .search()
                .context(ContextRequest.of("jitter", 2000, TestEvents.START))
                .markdown())
        .contains("alpha")
        .doesNotContain("beta")
        .doesNotContain("@");
    assertThatThrownBy(alpha().search()::rebuild)
        .isInstanceOfSatisfying(
            MemoryException.class, e -> assertThat(e.field()).hasValue("memory-workspace"));
    assertThat(joint().search().rebuild()).isEqualTo(6);
  }

  @Test
  void wordsOfTheOthers_changeNoScore() {
    List<String> queries =
        List.of(
            "jitter",
            "retry decided",
            "noted alpha retries",
            "level:day jitter",
            "\"with jitter\"");
    List<List<Hit>> before = queries.stream().map(this::explained).toList();
    List<Event> talk =
        IntStream.range(0, 40)
            .mapToObj(i ->
                TestEvents.message(
                    "t", TestEvents.START.plusSeconds(100 + i), "Jitter, jitter, decided: " + i))
            .toList();
    memory(Optional.of(BETA)).ingest().append(talk).join();
    Await.until("the events", () -> joint().search().status().events() == 46);
    assertThat(queries.stream().map(this::explained).toList()).isEqualTo(before);
  }

  private List<Hit> explained(String query) {
    SearchRequest request =
        SearchRequest.of(query, 20, TestEvents.START)
            .withThreshold(RelevanceThreshold.ofEach(0))
            .withExplain(true);
    List<Hit> hits = alpha().search().search(request).hits();
    assertThat(hits).as(query).isNotEmpty();
    return hits;
  }
}
