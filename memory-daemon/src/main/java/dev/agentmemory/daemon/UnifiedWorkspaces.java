package dev.agentmemory.daemon;

import dev.agentmemory.service.Services;
import dev.agentmemory.service.WorkspaceSource;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.store.WorkspaceReport;
import dev.agentmemory.toc.shared.WorkspaceView;
import dev.agentmemory.types.Session;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.WorkspaceName;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/// The workspaces of a store that they share. It is open as long as the daemon runs, so calls never
/// wait. A workspace is there as soon as one of its events is.
final class UnifiedWorkspaces implements WorkspaceSource, AutoCloseable {

  private final OpenWorkspace whole;
  private final MemoryStore store;
  private final SharedServices services;

  /// @param whole is closed with it
  UnifiedWorkspaces(OpenWorkspace whole, SharedServices services) {
    this.whole = whole;
    this.store = whole.store();
    this.services = services;
  }

  @Override
  public CompletableFuture<Lease> lease(Optional<WorkspaceName> asked) {
    return CompletableFuture.completedFuture(
        new Stay(asked.map(services::of).orElseGet(services::joint)));
  }

  @Override
  public List<WorkspaceReport> workspaces(Optional<WorkspaceName> after, int limit) {
    return workspaces(Optional.empty(), after, limit);
  }

  @Override
  public List<WorkspaceReport> workspaces(
      Optional<WorkspaceName> asked, Optional<WorkspaceName> after, int limit) {
    return names().stream()
        .filter(name -> asked.isEmpty() || name.equals(asked.get()))
        .filter(name -> after.isEmpty() || name.compareTo(after.get()) > 0)
        .limit(limit)
        .map(this::report)
        .toList();
  }

  /// All names, from one's first session to the next one's.
  private SortedSet<WorkspaceName> names() {
    var names = new TreeSet<WorkspaceName>();
    List<Session> next = store.sessions(Optional.empty(), 1);
    while (!next.isEmpty()) {
      WorkspaceName name = next.getFirst().id().workspace().orElseThrow();
      names.add(name);
      next = store.sessions(Optional.of(behind(name)), 1);
    }
    return names;
  }

  /// Sorts behind all sessions of a workspace and before those of the next: what follows the slash
  /// in ASCII is the zero.
  private static SessionId behind(WorkspaceName name) {
    return new SessionId("@" + name + "0");
  }

  private WorkspaceReport report(WorkspaceName name) {
    WorkspaceView.Size size = new WorkspaceView(store, name).size();
    return new WorkspaceReport(
        name,
        /* open= */ true,
        Optional.empty(),
        Optional.of(new WorkspaceReport.Content(size.events(), size.sessions())),
        /* diskBytes= */ 0,
        Optional.empty());
  }

  /// The store, as it is backed up.
  BackupRuns.Stores stores() {
    return new BackupStores.Shared(whole);
  }

  /// What does not work now.
  List<String> problems() {
    return whole.outages();
  }

  /// To be called when no call is in progress any more.
  @Override
  public void close() {
    whole.close();
  }

  private record Stay(Services services) implements Lease {

    @Override
    public void close() {
      // The store stays open for everybody.
    }
  }
}
