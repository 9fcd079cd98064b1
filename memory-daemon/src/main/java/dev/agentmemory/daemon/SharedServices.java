package dev.agentmemory.daemon;

import dev.agentmemory.search.Sources;
import dev.agentmemory.service.Services;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.toc.SegmentFinder;
import dev.agentmemory.toc.TocNavigator;
import dev.agentmemory.toc.TokenCounter;
import dev.agentmemory.toc.shared.JointToc;
import dev.agentmemory.toc.shared.WorkspaceView;
import dev.agentmemory.toc.summary.Summarizer;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;

/// Serves a store that workspaces share. Who names a workspace gets its view, in which nothing of
/// the others can be seen, counted or stopped; who names none gets all of it.
final class SharedServices {

  private final Services whole;
  private final SearchDesk search;
  private final MemoryStore store;
  private final TokenCounter tokens;
  private final Summarizer summarizer;
  private final WorkspaceName byDefault;

  /// @param whole what serves the store itself
  /// @param search its index
  /// @param byDefault the workspace of events whose sender names none
  SharedServices(
      Services whole,
      SearchDesk search,
      MemoryStore store,
      TokenCounter tokens,
      Summarizer summarizer,
      WorkspaceName byDefault) {
    this.whole = whole;
    this.search = search;
    this.store = store;
    this.tokens = tokens;
    this.summarizer = summarizer;
    this.byDefault = byDefault;
  }

  /// What a caller gets who names a workspace.
  Services of(WorkspaceName workspace) {
    var view = new WorkspaceView(store, workspace);
    return new Services(
        new SharedIntake(whole.intake(), _ -> workspace),
        new TocNavigator(view, view, view, view, tokens),
        new SharedJobs(whole.jobs()),
        view,
        view,
        view,
        new SharedAdmin(whole.admin(), view),
        new OwnArchive(whole.history(), workspace),
        new SegmentFinder(view, view),
        search.of(workspace, new Sources(view, view, view, view, view, store, store.zone())),
        /* sharesStore= */ true);
  }

  /// What a caller gets who names none.
  Services joint() {
    var toc = new JointToc(store, summarizer);
    return new Services(
        new SharedIntake(whole.intake(), this::owner),
        new TocNavigator(toc, store, store, store, tokens),
        whole.jobs(),
        store,
        store,
        store,
        whole.admin(),
        new JointArchive(whole.history(), toc),
        whole.finder(),
        whole.search(),
        /* sharesStore= */ false);
  }

  /// The agent that an event names is its workspace.
  private WorkspaceName owner(Event event) {
    return event.agent().map(agent -> WorkspaceName.parse("event.agent", agent)).orElse(byDefault);
  }

  /// The refusal of what concerns all workspaces.
  static MemoryException ofTheWhole() {
    return MemoryException.invalid(
        "memory-workspace",
        "names one of the workspaces that share a store (multi_agent_mode = unified), and this is"
            + " about all of them; leave it out");
  }
}
