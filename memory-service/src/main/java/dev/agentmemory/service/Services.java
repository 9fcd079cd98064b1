package dev.agentmemory.service;

import dev.agentmemory.api.Admin;
import dev.agentmemory.api.Jobs;
import dev.agentmemory.api.Search;
import dev.agentmemory.pipeline.Ingestor;
import dev.agentmemory.store.EventReader;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.store.SegmentReader;
import dev.agentmemory.store.SessionReader;
import dev.agentmemory.toc.NodeHistory;
import dev.agentmemory.toc.SegmentFinder;
import dev.agentmemory.toc.TocNavigator;

/// Everything that the handlers call for one workspace.
///
/// @param sharesStore whether rows of other workspaces lie in the same store, of which nothing may
///   be told
public record Services(
    Intake intake,
    TocNavigator toc,
    Jobs jobs,
    EventReader events,
    SessionReader sessions,
    SegmentReader segments,
    Admin admin,
    NodeArchive history,
    SegmentFinder finder,
    Search search,
    boolean sharesStore) {

  /// The parts as a daemon has them.
  public static Services of(
      Ingestor ingestor,
      TocNavigator toc,
      Jobs jobs,
      MemoryStore store,
      Admin admin,
      NodeHistory history,
      Search search) {
    return new Services(
        Intake.of(ingestor),
        toc,
        jobs,
        store,
        store,
        store,
        admin,
        NodeArchive.of(history),
        new SegmentFinder(store, store),
        search,
        /* sharesStore= */ false);
  }
}
