package dev.agentmemory.engine;

import dev.agentmemory.api.WorkspaceReport;
import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.engine.internal.folder.WorkspaceFailures;
import dev.agentmemory.engine.internal.local.PageTokens;
import dev.agentmemory.spi.Ticker;
import dev.agentmemory.store.registry.StoreNote;
import dev.agentmemory.store.registry.StoreRegistry;
import dev.agentmemory.types.WorkspaceName;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;

/// What is known of the workspaces, open or not; none is opened for that.
///
/// @param handles those that take a place, as they are at each moment
record WorkspaceReports(
    InstantSource clock,
    Ticker ticker,
    StoreRegistry stores,
    WorkspaceFailures failures,
    Map<WorkspaceName, WorkspaceHandle> handles) {
  private static final int BY_DEFAULT = 100;
  private static final int MOST = 1000;

  /// Those that there are, and those that could not be opened and lie there all the same.
  private SortedSet<WorkspaceName> names() {
    var names = new TreeSet<>(stores.names());
    handles.values().stream()
        .filter(handle -> !handle.isClosing())
        .map(WorkspaceHandle::name)
        .forEach(names::add);
    failures.names().stream().filter(stores::isOccupied).forEach(names::add);
    return names;
  }

  Page<WorkspaceReport> list(PageRequest page) {
    return page(names(), page, name -> Optional.of(report(name)));
  }

  /// Those with a problem.
  Page<WorkspaceReport> troubled(PageRequest page) {
    return page(
        names(),
        page,
        name ->
            problem(name).map(_ -> report(name)).filter(report -> report.problem().isPresent()));
  }

  /// A page of workspaces by their names.
  ///
  /// @param report of a workspace; empty for one that is left out
  static Page<WorkspaceReport> page(
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

  /// Whether each takes events and puts them in order, as far as is known.
  Map<WorkspaceName, Boolean> health() {
    Map<WorkspaceName, Boolean> health = new HashMap<>();
    names().forEach(name -> health.put(name, outages(name).isEmpty()));
    return health;
  }

  /// What keeps events of a workspace from being taken in and put in order.
  List<String> outages(WorkspaceName name) {
    return Optional.ofNullable(handles.get(name))
        .flatMap(WorkspaceHandle::workspace)
        .map(OpenWorkspace::outages)
        .orElseGet(() -> failures.last(name).stream().toList());
  }

  private Optional<String> problem(WorkspaceName name) {
    return Optional.ofNullable(handles.get(name))
        .flatMap(WorkspaceHandle::workspace)
        .map(open -> open.problems().stream().findFirst())
        .orElseGet(() -> failures.last(name));
  }

  private WorkspaceReport report(WorkspaceName name) {
    WorkspaceHandle handle = handles.get(name);
    if (handle != null && !handle.isLost() && handle.acquire()) {
      try {
        return openReport(handle, handle.workspace().orElseThrow());
      } finally {
        handle.release();
      }
    }
    Optional<StoreNote> note = stores.note(name);
    return new WorkspaceReport(
        name,
        /* open= */ false,
        note.flatMap(StoreNote::lastUsed),
        note.map(known -> new WorkspaceReport.Content(known.events(), known.sessions())),
        stores.bytes(name),
        failures.last(name));
  }

  private WorkspaceReport openReport(WorkspaceHandle handle, OpenWorkspace workspace) {
    return new WorkspaceReport(
        handle.name(),
        /* open= */ true,
        handle.lastUsed(clock.instant(), ticker.nanos()),
        Optional.of(workspace.content()),
        stores.bytes(handle.name()),
        workspace.problems().stream().findFirst());
  }
}
