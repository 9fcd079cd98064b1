package dev.agentmemory.engine.internal.local;

import dev.agentmemory.api.Admin;
import dev.agentmemory.api.DaemonReport;
import dev.agentmemory.api.ModelUsage;
import dev.agentmemory.api.RebuildReport;
import dev.agentmemory.api.forget.ForgetPreview;
import dev.agentmemory.api.forget.ForgetReceipt;
import dev.agentmemory.api.forget.Forgetting;
import dev.agentmemory.api.upkeep.ScrubReport;
import dev.agentmemory.store.Finding;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.store.StoreUsage;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// Reports of a store.
///
/// @param report how its workspace is doing
/// @param rebuild cuts its sessions again
/// @param scrubbing masks its stored secrets
/// @param erasing erases what has to be forgotten
public record LocalAdmin(
    InstantSource clock,
    MemoryStore store,
    Supplier<DaemonReport> report,
    Supplier<RebuildReport> rebuild,
    Scrubbing scrubbing,
    Erasing erasing)
    implements Admin {

  /// Masks stored secrets.
  public interface Scrubbing {

    /// @param dryRun whether only to count
    ScrubReport scrub(boolean dryRun);
  }

  /// Erases what has to be forgotten.
  public interface Erasing {

    /// @param dryRun whether only to count
    /// @param wait whether to return only when no file has any of it
    ForgetReceipt forget(Forgetting what, boolean dryRun, boolean wait);

    /// @param mention words that are looked for in what stays
    ForgetPreview preview(Forgetting what, Optional<String> mention);
  }

  @Override
  public ForgetReceipt forget(Forgetting what, boolean dryRun, boolean wait) {
    return erasing.forget(what, dryRun, wait);
  }

  @Override
  public ForgetPreview previewForget(Forgetting what, Optional<String> mention) {
    return erasing.preview(what, mention);
  }

  @Override
  public ScrubReport scrub(boolean dryRun) {
    return scrubbing.scrub(dryRun);
  }

  @Override
  public DaemonReport status() {
    return report.get();
  }

  @Override
  public StoreUsage usage() {
    return store.usage();
  }

  @Override
  public ModelUsage modelUsage(int days) {
    return ModelUsage.of(store.ledger(), store.zone(), clock.instant(), days);
  }

  @Override
  public List<Finding> verify(int limit) {
    return store.verify(limit <= 0 ? FINDINGS_BY_DEFAULT : Math.min(limit, MOST_FINDINGS));
  }

  @Override
  public RebuildReport rebuildToc() {
    return rebuild.get();
  }
}
