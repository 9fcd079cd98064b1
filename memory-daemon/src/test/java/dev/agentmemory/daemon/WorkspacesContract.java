package dev.agentmemory.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.agentmemory.api.WorkspaceReport;
import dev.agentmemory.api.Workspaces;
import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;
import org.junit.jupiter.api.Test;

/// What holds for every implementation of [Workspaces]. The data directory is new and has the
/// workspace `default` only.
abstract class WorkspacesContract {

  private static final WorkspaceName ALPHA = new WorkspaceName("alpha");
  private static final WorkspaceName BETA = new WorkspaceName("beta");

  abstract Workspaces workspaces();

  @Test
  void create_saysWhetherItIsNew_andListIsByName() {
    assertThat(workspaces().create(BETA)).isTrue();
    assertThat(workspaces().create(ALPHA)).isTrue();
    assertThat(workspaces().create(BETA)).isFalse();
    assertThat(workspaces().list(PageRequest.first()).items())
        .extracting(report -> report.name().value())
        .containsExactly("alpha", "beta", "default");
  }

  @Test
  void list_goesOnWhereThePageEnded() {
    workspaces().create(ALPHA);
    Page<WorkspaceReport> first = workspaces().list(PageRequest.of(1));
    assertThat(first.items()).extracting(WorkspaceReport::name).containsExactly(ALPHA);
    Page<WorkspaceReport> second = workspaces().list(PageRequest.of(1).after(first));
    assertThat(second.items())
        .extracting(report -> report.name().value())
        .containsExactly("default");
  }

  @Test
  void delete_tellsTheSize_andIsRefusedWhereThereIsNone() {
    workspaces().create(ALPHA);
    assertThat(workspaces().delete(ALPHA)).isPositive();
    assertThat(workspaces().list(PageRequest.first()).items())
        .extracting(report -> report.name().value())
        .containsExactly("default");
    assertThat(catchThrowableOfType(MemoryException.class, () -> workspaces().delete(ALPHA)).code())
        .isEqualTo(ErrorCode.NOT_FOUND);
  }

  @Test
  void troubled_isEmpty_whileAllIsWell() {
    workspaces().create(ALPHA);
    assertThat(workspaces().troubled(PageRequest.first()).items()).isEmpty();
  }
}
