package dev.agentmemory.service;

import dev.agentmemory.pipeline.Ingestor;
import dev.agentmemory.pipeline.Scheduler;
import dev.agentmemory.store.EventReader;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.store.SegmentReader;
import dev.agentmemory.store.SessionReader;
import dev.agentmemory.store.StoreUsage;
import dev.agentmemory.toc.NodeHistory;
import dev.agentmemory.toc.SegmentFinder;
import dev.agentmemory.toc.TocNavigator;
import java.util.function.Supplier;

/// Everything that the handlers call for one workspace.
///
/// @param sharesStore whether rows of other workspaces lie in the same store, of which nothing may
///   be told
public record Services(
    Intake intake,
    TocNavigator toc,
    JobDesk scheduler,
    EventReader events,
    SessionReader sessions,
    SegmentReader segments,
    DaemonStatus status,
    StoreCheck check,
    RebuildToc rebuild,
    NodeArchive history,
    SegmentFinder finder,
    Supplier<StoreUsage> usage,
    ModelLedger ledger,
    Searching searching,
    boolean sharesStore) {

  /// The parts as a daemon has them.
  public static Services of(
      Ingestor ingestor,
      TocNavigator toc,
      Scheduler scheduler,
      MemoryStore store,
      DaemonStatus status,
      RebuildToc rebuild,
      NodeHistory history,
      ModelLedger ledger,
      Searching searching) {
    return new Services(
        Intake.of(ingestor),
        toc,
        JobDesk.of(scheduler),
        store,
        store,
        store,
        status,
        store::verify,
        rebuild,
        NodeArchive.of(history),
        new SegmentFinder(store, store),
        store::usage,
        ledger,
        searching,
        /* sharesStore= */ false);
  }
}
