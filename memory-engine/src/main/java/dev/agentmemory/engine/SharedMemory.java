package dev.agentmemory.engine;

import dev.agentmemory.engine.internal.local.LocalContents;
import dev.agentmemory.engine.internal.local.LocalEventLog;
import dev.agentmemory.engine.internal.local.LocalMemory;
import dev.agentmemory.engine.internal.local.LocalSessions;
import dev.agentmemory.pipeline.ingest.Ingestor;
import dev.agentmemory.search.Sources;
import dev.agentmemory.search.workspace.WorkspaceSearch;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.toc.NodeArchive;
import dev.agentmemory.toc.navigate.TocNavigator;
import dev.agentmemory.toc.segment.TokenCounter;
import dev.agentmemory.toc.shared.JointToc;
import dev.agentmemory.toc.shared.WorkspaceView;
import dev.agentmemory.toc.summary.Summarizer;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;

/// Serves a store that workspaces share. Who names a workspace gets its view, in which nothing of
/// the others can be seen, counted or stopped; who names none gets all of it.
final class SharedMemory {

  private final LocalMemory whole;
  private final Ingestor ingestor;
  private final NodeArchive history;
  private final WorkspaceSearch search;
  private final MemoryStore store;
  private final TokenCounter tokens;
  private final Summarizer summarizer;
  private final WorkspaceName byDefault;

  /// @param whole the memory of the store itself
  /// @param ingestor takes events into the store
  /// @param history its nodes
  /// @param search its index
  /// @param byDefault the workspace of events whose sender names none
  SharedMemory(
      LocalMemory whole,
      Ingestor ingestor,
      NodeArchive history,
      WorkspaceSearch search,
      MemoryStore store,
      TokenCounter tokens,
      Summarizer summarizer,
      WorkspaceName byDefault) {
    this.whole = whole;
    this.ingestor = ingestor;
    this.history = history;
    this.search = search;
    this.store = store;
    this.tokens = tokens;
    this.summarizer = summarizer;
    this.byDefault = byDefault;
  }

  /// What a caller gets who names a workspace.
  LocalMemory of(WorkspaceName workspace) {
    var view = new WorkspaceView(store, workspace);
    var sources = Sources.of(view, store);
    return new LocalMemory(
        new SharedIngest(ingestor, _ -> workspace),
        new LocalEventLog(view),
        new LocalContents(new TocNavigator(view, tokens), new OwnArchive(history, workspace)),
        new OwnSearch(
            () -> search.searcher(workspace, sources), sources, tokens, search::ownStatus),
        new LocalSessions(view),
        new SharedJobs(whole.jobs()),
        new SharedAdmin(whole.admin(), view));
  }

  /// What a caller gets who names none.
  LocalMemory joint() {
    var toc = new JointToc(store.toc(), summarizer);
    return new LocalMemory(
        new SharedIngest(ingestor, this::owner),
        whole.events(),
        new LocalContents(new TocNavigator(toc, store, tokens), new JointArchive(history, toc)),
        whole.search(),
        whole.sessions(),
        whole.jobs(),
        whole.admin());
  }

  /// The agent that an event names is its workspace.
  private WorkspaceName owner(Event event) {
    return event.agent().map(agent -> WorkspaceName.parse("event.agent", agent)).orElse(byDefault);
  }

  /// The refusal of what concerns all workspaces.
  static MemoryException ofTheWhole() {
    return MemoryException.invalid(
        "memory-workspace",
        "names one of the workspaces that share a store (multi_agent_mode = unified), but this call"
            + " applies to all of them; omit it");
  }
}
