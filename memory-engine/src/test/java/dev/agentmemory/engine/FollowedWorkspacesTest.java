package dev.agentmemory.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.agentmemory.api.WorkspaceReport;
import dev.agentmemory.api.WorkspaceSource;
import dev.agentmemory.api.WorkspaceSource.Access;
import dev.agentmemory.api.changes.ChangeReader;
import dev.agentmemory.api.changes.ChangedItems;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.engine.config.BackupConfig;
import dev.agentmemory.engine.config.WorkspacesConfig;
import dev.agentmemory.spi.SystemServices;
import dev.agentmemory.testkit.Await;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Following workspaces of an engine.
class FollowedWorkspacesTest {

  private static final Optional<WorkspaceName> SHOP = Optional.of(new WorkspaceName("shop"));

  @TempDir private Path data;

  private Engine open(WorkspacesConfig.Mode mode) {
    return Engine.open(
        SystemServices.ofMachine(),
        TestConfig.of(
            data,
            new WorkspacesConfig(mode, "default", 16, Duration.ofSeconds(1)),
            TestConfig.NO_EMBEDDING,
            BackupConfig.DEFAULT),
        () -> {});
  }

  private static void ingest(Engine engine, Optional<WorkspaceName> workspace) {
    try (WorkspaceSource.Lease lease = engine.source().lease(workspace, Access.WRITE).join()) {
      var _ = lease.memory().ingest().append(TestEvents.messages("s", 3)).join();
    }
  }

  private static boolean isOpen(Engine engine, WorkspaceName name) {
    return engine.source().workspaces(Optional.empty(), PageRequest.first()).items().stream()
        .filter(report -> report.name().equals(name))
        .anyMatch(WorkspaceReport::open);
  }

  @Test
  void events_andWhatFollowsFromThem_areTold() {
    try (Engine engine = open(WorkspacesConfig.Mode.SEPARATE);
        ChangeReader reader = engine.changes().follow(Optional.empty()).join()) {
      String before = reader.position();
      ingest(engine, Optional.empty());
      assertThat(reader.after(before).items().sessions()).containsExactly("s");
      Await.until("the year", () -> reader.after(before).items().nodes().contains("toc:year:2026"));
      ingest(engine, SHOP);
      assertThat(reader.after(before).items().sessions()).containsExactly("s");
    }
  }

  @Test
  void follower_doesNotKeepAWorkspaceOpen_andIsToldOfItAfterwards() {
    try (Engine engine = open(WorkspacesConfig.Mode.SEPARATE)) {
      ingest(engine, SHOP);
      try (ChangeReader reader = engine.changes().follow(SHOP).join()) {
        Await.until("it is closed", () -> !isOpen(engine, SHOP.orElseThrow()));
        String before = reader.position();
        try (WorkspaceSource.Lease lease = engine.source().lease(SHOP, Access.WRITE).join()) {
          var _ =
              lease
                  .memory()
                  .ingest()
                  .append(List.of(TestEvents.message("new", TestEvents.START, "hello")))
                  .join();
        }
        ChangedItems items = reader.after(before).items();
        assertThat(items.sessions()).containsExactly("new");
      }
    }
  }

  @Test
  void workspace_thatDoesNotExist_isNotFollowed() {
    try (Engine engine = open(WorkspacesConfig.Mode.SEPARATE)) {
      MemoryException refusal =
          catchThrowableOfType(
              MemoryException.class, () -> MemoryException.join(engine.changes().follow(SHOP)));
      assertThat(refusal.code()).isEqualTo(ErrorCode.NOT_FOUND);
    }
  }

  @Test
  void workspaceOfASharedStore_isNotFollowed_butTheWholeStoreIs() {
    try (Engine engine = open(WorkspacesConfig.Mode.UNIFIED)) {
      ingest(engine, SHOP);
      MemoryException refusal =
          catchThrowableOfType(
              MemoryException.class, () -> MemoryException.join(engine.changes().follow(SHOP)));
      assertThat(refusal.code()).isEqualTo(ErrorCode.CONFLICT);
      try (ChangeReader reader = engine.changes().follow(Optional.empty()).join()) {
        String before = reader.position();
        ingest(engine, Optional.of(new WorkspaceName("other")));
        assertThat(reader.after(before).items().sessions()).isNotEmpty();
      }
    }
  }
}
