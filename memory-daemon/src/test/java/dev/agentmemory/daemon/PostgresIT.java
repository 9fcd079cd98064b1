package dev.agentmemory.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.api.Backups;
import dev.agentmemory.api.WorkspaceReport;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.api.search.SearchRequest;
import dev.agentmemory.client.Endpoint;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.testkit.Await;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.testkit.postgres.PgServer;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A packaged daemon whose stores are in a real PostgreSQL.
class PostgresIT {

  private static final Map<String, String> PASSWORD =
      Map.of("MEMORY_PG_PASSWORD", PgServer.PASSWORD);

  @TempDir private Path folder;
  private final String schema = PgServer.newSchema();

  private String[] settings(String... more) {
    List<String> all =
        new ArrayList<>(
            List.of(
                "search.embeddings=none",
                "storage.engine=postgres",
                "postgres.url=" + PgServer.shared().url(),
                "postgres.user=" + PgServer.USER,
                "postgres.schema=" + schema));
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  private PackagedDaemon start(Path data) throws IOException, InterruptedException {
    return PackagedDaemon.start(data, PASSWORD, settings());
  }

  private static List<Event> events() {
    return TestEvents.messages("s", 40);
  }

  @Test
  void daemon_servesWhatItHasStored_alsoFromAnotherFolder() throws Exception {
    Path one = folder.resolve("one");
    try (PackagedDaemon daemon = start(one)) {
      var _ = daemon.client().importEvents(events());
      awaitComplete(daemon.client());
      assertThat(daemon.client().contents().root()).isNotEmpty();
      assertThat(one.resolve("db")).doesNotExist();
    }
    try (PackagedDaemon daemon = start(folder.resolve("other"))) {
      assertThat(daemon.client().admin().status().store().events()).isEqualTo(events().size());
      assertThat(daemon.client().admin().verify(10)).isEmpty();
      String word = events().getFirst().text().replaceFirst(" .*", "");
      Await.until(
          "the index is made from the log",
          () ->
              !daemon
                  .client()
                  .search()
                  .search(SearchRequest.of(word, 10, Instant.now()))
                  .hits()
                  .isEmpty());
    }
  }

  private static void awaitComplete(MemoryClient client) {
    Await.until("the table of contents", () -> client.admin().status().tocComplete());
  }

  @Test
  void twoDaemons_shareADatabase_andOneTakesOverWhatTheOtherHadWhenItDies() throws Exception {
    Path one = folder.resolve("one");
    try (PackagedDaemon second = startWithLease(folder.resolve("other"), "3s")) {
      PackagedDaemon first = startWithLease(one, "3s");
      try (first;
          MemoryClient mine = team(one);
          MemoryClient other = team(folder.resolve("other"))) {
        var _ = mine.importEvents(events());
        awaitComplete(mine);

        assertThatThrownBy(() -> other.admin().status())
            .isInstanceOfSatisfying(
                MemoryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_OWNER))
            .hasMessageContaining(one.toString());
        first.kill();

        Await.until("it is taken over", () -> answers(other));
        assertThat(other.admin().status().store().events()).isEqualTo(events().size());
        assertThat(other.admin().verify(10)).isEmpty();
      }
      assertThat(second.client().admin().status().problems()).isEmpty();
    }
  }

  private static boolean answers(MemoryClient client) {
    try {
      var _ = client.admin().status();
      return true;
    } catch (MemoryException e) {
      assertThat(e.code()).isEqualTo(ErrorCode.NOT_OWNER);
      return false;
    }
  }

  @Test
  void killedDaemon_hasItsWorkspacesAtOnceWhenItIsStartedAgain() throws Exception {
    Path one = folder.resolve("one");
    PackagedDaemon killed = startWithLease(one, "60s");
    try (killed) {
      var _ = killed.client().importEvents(events());
      killed.kill();
    }
    try (PackagedDaemon again = startWithLease(one, "60s")) {
      assertThat(again.client().admin().status().store().events()).isEqualTo(events().size());
    }
  }

  private PackagedDaemon startWithLease(Path data, String lease)
      throws IOException, InterruptedException {
    return PackagedDaemon.start(data, PASSWORD, settings("cluster.lease=" + lease));
  }

  private static MemoryClient team(Path data) {
    return MemoryClient.connect(
        Endpoint.find(data).withWorkspace(Optional.of(new WorkspaceName("team"))));
  }

  @Test
  void workspaces_areListed_andDeletedWithTheirRows() throws Exception {
    Path one = folder.resolve("one");
    try (PackagedDaemon daemon = start(one)) {
      var name = new WorkspaceName("team");
      try (MemoryClient team = team(one)) {
        var _ = team.importEvents(events());
      }
      assertThat(daemon.client().workspaces().list(PageRequest.first()).items())
          .extracting(WorkspaceReport::name)
          .contains(name);

      var _ = daemon.client().workspaces().delete(name);

      assertThat(daemon.client().workspaces().list(PageRequest.first()).items())
          .extracting(WorkspaceReport::name)
          .doesNotContain(name);
      assertThat(one.resolve("index/team")).doesNotExist();
    }
  }

  @Test
  void databaseThatGoesAway_isTold_andNoCallWaitsForIt() throws Exception {
    try (PgServer server = PgServer.start();
        PackagedDaemon daemon =
            PackagedDaemon.start(
                folder.resolve("one"),
                PASSWORD,
                settings(
                    "postgres.url=" + server.url(),
                    "postgres.timeout=1s",
                    "workspaces.idle_close=1s"))) {
      var _ = daemon.client().importEvents(events());
      Await.until(
          "the workspace is closed",
          () ->
              daemon.client().workspaces().list(PageRequest.first()).items().stream()
                  .noneMatch(WorkspaceReport::open));
      server.end();

      assertThatThrownBy(() -> daemon.client().admin().status())
          .isInstanceOfSatisfying(
              MemoryException.class,
              e ->
                  assertThat(e.code())
                      .isIn(ErrorCode.STORAGE_FAILED, ErrorCode.WORKSPACE_UNUSABLE));
    }
  }

  @Test
  void whatNeedsFiles_isRefusedInASentence() throws Exception {
    Path backups = Files.createDirectories(folder.resolve("backups"));
    try (PackagedDaemon daemon = start(folder.resolve("one"))) {
      assertThatThrownBy(() ->
              daemon
                  .client()
                  .backups()
                  .backup(Backups.Target.of(backups), List.of(), false, _ -> {}))
          .isInstanceOf(MemoryException.class)
          .hasMessageContaining("backed up by the database's own means");
    }
  }

  @Test
  void databaseThatCannotBeReached_isToldWithoutThePassword() throws Exception {
    PackagedDaemon.Run run =
        PackagedDaemon.run(
            folder.resolve("one"),
            PASSWORD,
            "start",
            "--foreground",
            "--set",
            "storage.engine=postgres",
            "--set",
            "postgres.url=postgresql://127.0.0.1:1/none",
            "--set",
            "postgres.user=" + PgServer.USER,
            "--set",
            "postgres.timeout=1s");
    assertThat(run.exit()).isNotZero();
    assertThat(run.output()).contains("cannot be reached").doesNotContain(PgServer.PASSWORD);
    assertThat(run.output()).doesNotContain("\tat ");
  }
}
