package dev.agentmemory.engine;

import dev.agentmemory.api.WorkspaceReport;
import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.engine.internal.local.PageTokens;
import dev.agentmemory.types.WorkspaceName;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.function.Function;

/// Pages of workspaces by their names.
final class WorkspacePages {

  private static final int BY_DEFAULT = 100;
  private static final int MOST = 1000;

  private WorkspacePages() {}

  /// @param report of a workspace; empty for one that is left out
  static Page<WorkspaceReport> of(
      SortedSet<WorkspaceName> names,
      PageRequest page,
      Function<WorkspaceName, Optional<WorkspaceReport>> report) {
    Optional<WorkspaceName> after = page.place(PageTokens::workspace);
    int limit = page.limit(BY_DEFAULT, MOST);
    List<WorkspaceReport> read =
        names.stream()
            .filter(name -> after.isEmpty() || name.compareTo(after.get()) > 0)
            .flatMap(name -> report.apply(name).stream())
            .limit(limit + 1L)
            .toList();
    return Page.of(read, limit, last -> PageTokens.afterWorkspace(last.name()));
  }
}
