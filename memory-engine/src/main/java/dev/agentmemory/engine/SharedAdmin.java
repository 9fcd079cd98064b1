package dev.agentmemory.engine;

import dev.agentmemory.api.Admin;
import dev.agentmemory.api.DaemonReport;
import dev.agentmemory.api.ModelUsage;
import dev.agentmemory.api.RebuildReport;
import dev.agentmemory.api.RefusalReport;
import dev.agentmemory.api.SummarizerReport;
import dev.agentmemory.api.forget.ForgetPreview;
import dev.agentmemory.api.forget.ForgetReceipt;
import dev.agentmemory.api.forget.Forgetting;
import dev.agentmemory.api.gateway.GatewayReport;
import dev.agentmemory.api.upkeep.ScrubReport;
import dev.agentmemory.engine.internal.erase.StoreErasure;
import dev.agentmemory.store.Finding;
import dev.agentmemory.store.StoreStats;
import dev.agentmemory.store.StoreUsage;
import dev.agentmemory.toc.shared.WorkspaceView;
import dev.agentmemory.types.WorkspaceName;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The reports of a store that workspaces share, as one of them sees them. What concerns all of the
/// store is out of its reach.
///
/// @param view its part of the store
/// @param erasure erases what it has
record SharedAdmin(Admin inner, WorkspaceView view, WorkspaceName workspace, StoreErasure erasure)
    implements Admin {

  /// What belongs to no workspace is 0, or a sentence that says where to ask.
  @Override
  public DaemonReport status() {
    DaemonReport report = inner.status();
    List<String> problems =
        report.problems().isEmpty()
            ? List.of()
            : List.of(
                "the shared store has a problem; call without memory-workspace (--workspace) for"
                    + " details");
    return new DaemonReport(
        new StoreStats(view.size().events(), 0, 1, 0, 0, 0, 0, 0),
        Map.of(),
        0,
        report.zone(),
        report.version(),
        report.startedAt(),
        report.tocComplete(),
        problems,
        SummarizerReport.named(report.summarizer().name()),
        RefusalReport.NONE,
        GatewayReport.NONE,
        report.waitsFor());
  }

  @Override
  public StoreUsage usage() {
    throw SharedMemory.ofTheWhole();
  }

  @Override
  public ModelUsage modelUsage(int days) {
    throw SharedMemory.ofTheWhole();
  }

  @Override
  public List<Finding> verify(int limit) {
    throw SharedMemory.ofTheWhole();
  }

  @Override
  public RebuildReport rebuildToc() {
    throw SharedMemory.ofTheWhole();
  }

  @Override
  public ScrubReport scrub(boolean dryRun) {
    throw SharedMemory.ofTheWhole();
  }

  @Override
  public ForgetPreview previewForget(Forgetting what, Optional<String> mention) {
    return erasure.preview(Optional.of(workspace), what, mention);
  }

  @Override
  public ForgetReceipt forget(Forgetting what, boolean dryRun, boolean wait) {
    return erasure.forget(Optional.of(workspace), what, dryRun, wait);
  }
}
