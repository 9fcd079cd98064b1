package dev.agentmemory.engine;

import dev.agentmemory.engine.internal.local.LocalContents;
import dev.agentmemory.engine.internal.local.LocalEventLog;
import dev.agentmemory.engine.internal.local.LocalMemory;
import dev.agentmemory.engine.internal.local.LocalSessions;
import dev.agentmemory.engine.internal.recall.SharedNames;
import dev.agentmemory.search.Sources;
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
///
/// @param whole the store with everything that works on it
/// @param byDefault the workspace of events whose sender names none
record SharedMemory(
    OpenWorkspace whole, TokenCounter tokens, Summarizer summarizer, WorkspaceName byDefault) {

  /// The request metadata that names a workspace.
  static final String WORKSPACE = "memory-workspace";

  /// What a caller gets who names a workspace.
  LocalMemory of(WorkspaceName workspace) {
    var view = new WorkspaceView(whole.contents(), workspace);
    // A search finds segments by the words that are indexed, so it composes none.
    var sources = Sources.of(new WorkspaceView(whole.stored(), workspace), whole.store());
    var ingest = new SharedIngest(whole.ingestor(), _ -> workspace);
    return new LocalMemory(
        ingest,
        new LocalEventLog(view),
        new LocalContents(
            new TocNavigator(view, tokens), new OwnArchive(whole.history(), workspace)),
        whole
            .measures()
            .timed(
                new OwnSearch(
                    () ->
                        whole
                            .search()
                            .searcher(workspace, sources)
                            .withMemories(whole.recall().source(workspace)),
                    sources,
                    tokens,
                    whole.search()::ownStatus)),
        new LocalSessions(view),
        whole.measures().timed(whole.recall().recall(workspace, ingest)),
        new SharedJobs(whole.memory().jobs()),
        new SharedAdmin(whole.memory().admin(), view, workspace, whole.erasure()));
  }

  /// What a caller gets who names none.
  LocalMemory joint() {
    var toc = new JointToc(whole.contents().toc(), whole.store().toc(), summarizer);
    LocalMemory memory = whole.memory();
    return new LocalMemory(
        new SharedIngest(whole.ingestor(), this::owner),
        memory.events(),
        new LocalContents(
            new TocNavigator(toc, whole.contents(), tokens),
            new JointArchive(whole.history(), toc)),
        memory.search(),
        memory.sessions(),
        memory.recall(),
        memory.jobs(),
        memory.admin());
  }

  /// The agent that an event names is its workspace.
  private WorkspaceName owner(Event event) {
    WorkspaceName name =
        event.agent().map(agent -> WorkspaceName.parse("event.agent", agent)).orElse(byDefault);
    if (!name.isForNew() && !SharedNames.has(whole.store(), name)) {
      throw name.notForNew("event.agent");
    }
    return name;
  }

  /// The refusal of what concerns all workspaces.
  static MemoryException ofTheWhole() {
    return MemoryException.invalid(
        WORKSPACE,
        "names one of the workspaces that share a store (multi_agent_mode = unified), but this call"
            + " applies to all of them; omit it");
  }
}
