package dev.agentmemory.gateway.resource;

import dev.agentmemory.gateway.resource.Operation.Content;
import java.util.List;
import java.util.stream.Stream;

/// The table of operations. A line is an address and the call that answers it; `name=field` says
/// which field of the request a parameter gives where their names differ.
public final class Operations {

  private static final String PAGE = "limit&continuationToken";

  /// The conditions of a search.
  private static final String FILTERS =
      "sessionId=filters.sessionId&notSessionId=filters.notSessionId&agent=filters.agent"
          + "&role=filters.role&after=filters.afterMs&before=filters.beforeMs&level=filters.level"
          + "&kinds=filters.kinds&tags=filters.tags";

  /// The conditions of a list of memories.
  private static final String MEMORIES =
      "scopes=filter.scopes&kinds=filter.kinds&lifetimes=filter.lifetimes&sources=filter.sources"
          + "&sessionId=filter.sessionId&channel=filter.channel&tags=filter.tags"
          + "&allTags=filter.allTags&withoutTags=filter.withoutTags&after=filter.afterMs"
          + "&before=filter.beforeMs&minImportance=filter.minImportance"
          + "&references=filter.references&maxDepth=filter.maxDepth&pinned=filter.pinned"
          + "&superseded=filter.superseded";

  private static final List<Operation> ALL =
      Stream.of(contents(), found(), memories(), conversations(), daemon())
          .flatMap(List::stream)
          .toList();

  private Operations() {}

  /// All of them.
  public static List<Operation> all() {
    return ALL;
  }

  private static List<Operation> contents() {
    return List.of(
        Operation.of("GET /toc?descend&limit", "MemoryService.GetTocRoot"),
        Operation.of("POST /toc/nodes", "TocService.GetNodes"),
        Operation.of("GET /toc/{node=nodeId}", "MemoryService.GetNode").orMissing("node"),
        Operation.of("GET /toc/{node=parentId}/children?" + PAGE, "MemoryService.BrowseToc"),
        Operation.of(
            "GET /toc/{node=nodeId}/versions?beforeVersion&limit", "TocService.ListNodeVersions"),
        Operation.of("GET /toc/{node=nodeId}/versions/{version}", "TocService.GetNodeVersion"),
        Operation.of("POST /toc/{node=nodeId}/revert", "TocService.RevertNode"),
        Operation.of(
            "GET /toc/{node=nodeId}/search?q=query&fields&limit&tokenBudget",
            "MemoryService.SearchNode"),
        Operation.of(
            "GET /toc/{node=parentId}/children/search?q=query&level=childLevel&fields&limit"
                + "&tokenBudget",
            "MemoryService.SearchChildren"),
        Operation.of(
            "GET /events?from=fromTimestampMs&to=toTimestampMs&" + PAGE, "MemoryService.GetEvents"),
        Operation.of("GET /events/{event=eventId}", "MemoryService.GetEvents").orMissing("events"),
        Operation.of(
                "GET /grips/{grip=gripId}?before=eventsBefore&after=eventsAfter",
                "MemoryService.ExpandGrip")
            .orMissing("grip"),
        Operation.of("GET /sessions?order&" + PAGE, "SessionService.ListSessions"),
        Operation.of("GET /sessions/{session=sessionId}", "SessionService.GetSession"),
        Operation.of(
            "GET /sessions/{session=sessionId}/segments?" + PAGE, "SessionService.ListSegments"),
        Operation.of(
            "GET /sessions/{session=sessionId}/events?fromEventId&fromIndex&backward&" + PAGE,
            "SessionService.ListSessionEvents"),
        Operation.of(
            "GET /sessions/{session=sessionId}/injections?" + PAGE, "RecallService.ListInjections"),
        Operation.of("GET /segments?from=fromMs&to=toMs&" + PAGE, "SessionService.FindSegments"),
        Operation.of(
            "GET /segments/{segment=segmentId}?continuationToken", "SessionService.GetSegment"));
  }

  private static List<Operation> found() {
    return List.of(
        Operation.of(
            "GET /search?q=query&mode&fusion&limit&offset&minRelevance&minBestRelevance&calibrated"
                + "&strictTime&explain&nowMs&"
                + FILTERS,
            "SearchService.Search"),
        Operation.of("POST /search", "SearchService.Search"),
        Operation.of("GET /search/status", "SearchService.SearchStatus"),
        Operation.of("GET /activity?year", "SearchService.GetActivity"),
        Operation.of(
            "GET /context?q=query&tokenBudget&minRelevance&minBestRelevance&calibrated&plain&nowMs&"
                + FILTERS,
            "SearchService.BuildContext"),
        Operation.of("POST /context", "SearchService.BuildContext"),
        Operation.of(
            "GET /orientation?q=query&sessionId&channel&budgetTokens&plain",
            "RecallService.Orient"));
  }

  private static List<Operation> memories() {
    return List.of(
        Operation.of(
            "GET /memories?asOf=asOfMs&" + PAGE + "&" + MEMORIES, "RecallService.ListMemories"),
        Operation.of("POST /memories/list", "RecallService.ListMemories"),
        Operation.of("POST /memories", "RecallService.Remember"),
        Operation.of(
            "GET /memories/search?q=query&order&asOf=asOfMs&limit&explain"
                + "&viewerSessionId=viewer.sessionId&viewerChannel=viewer.channel&"
                + MEMORIES,
            "RecallService.SearchMemories"),
        Operation.of("POST /memories/search", "RecallService.SearchMemories"),
        Operation.of("GET /memories/stats", "RecallService.GetMemoryStats"),
        Operation.of("GET /memories/export?sessionId&scope&redact", "RecallService.ExportMemories")
            .with(Content.NOTHING, Content.LINES),
        Operation.of("POST /memories/import", "RecallService.ImportMemories")
            .with(Content.LINES, Content.MESSAGE),
        Operation.of("POST /memories/inspect", "RecallService.InspectMemories"),
        Operation.of("POST /memories/delete", "RecallService.DeleteMemories"),
        Operation.of("GET /memories/{memory=memoryId}", "RecallService.GetMemory"),
        Operation.of("PATCH /memories/{memory=memoryId}", "RecallService.UpdateMemory"),
        Operation.of(
            "DELETE /memories/{memory=memoryIds}?reason&preview", "RecallService.DeleteMemories"),
        Operation.of("POST /memories/{memory=memoryId}/pin", "RecallService.PinMemory"),
        Operation.of(
            "GET /memories/{memory=memoryId}/history?skip", "RecallService.ListMemoryHistory"),
        Operation.of(
            "GET /memories/{memory=memoryId}/related?depth&skip",
            "RecallService.ListRelatedMemories"),
        Operation.of("GET /consolidations?" + PAGE, "RecallService.ListConsolidations"),
        Operation.of("GET /consolidations/preview", "RecallService.PreviewConsolidation"),
        Operation.of("POST /consolidations/{run=runId}/undo", "RecallService.UndoConsolidation"));
  }

  private static List<Operation> conversations() {
    return List.of(
        Operation.of("GET /channels", "RecallService.ListChannels"),
        Operation.of("POST /channels", "RecallService.CreateChannel"),
        Operation.of("PATCH /channels/{channel=name}", "RecallService.ChangeChannel"),
        Operation.of("POST /channels/{channel=name}/default", "RecallService.SetDefaultChannel"),
        Operation.of(
            "GET /conversations?channel&archived&" + PAGE, "RecallService.ListConversations"),
        Operation.of("POST /conversations", "RecallService.StartConversation"),
        Operation.of(
            "GET /conversations/{session=conversation.sessionId}", "RecallService.GetConversation"),
        Operation.of(
            "PATCH /conversations/{session=conversation.sessionId}",
            "RecallService.ChangeConversation"),
        Operation.of(
            "GET /conversations/{session=conversation.sessionId}/stats",
            "RecallService.GetConversationStats"),
        Operation.of(
            "POST /conversations/{session=conversation.sessionId}/idle",
            "RecallService.IdleConversation"),
        Operation.of(
            "POST /conversations/{session=conversation.sessionId}/archive",
            "RecallService.ArchiveConversation"),
        Operation.of(
            "POST /conversations/{session=conversation.sessionId}/compact",
            "RecallService.CompactConversation"),
        Operation.of(
            "GET /conversations/{session=sessionId}/scratchpad?after=afterKey",
            "RecallService.ListScratchpad"),
        Operation.of(
                "GET /conversations/{session=sessionId}/scratchpad/{key}",
                "RecallService.ReadScratchpad")
            .orMissing("entry"));
  }

  private static List<Operation> daemon() {
    return List.of(
        Operation.of("GET /jobs", "MemoryService.GetSchedulerStatus"),
        Operation.of("POST /jobs/{job=jobName}/pause", "MemoryService.PauseJob")
            .orMissing("success"),
        Operation.of("POST /jobs/{job=jobName}/resume", "MemoryService.ResumeJob")
            .orMissing("success"),
        Operation.of("POST /jobs/{job=jobName}/run", "AdminService.RunJob"),
        Operation.of("GET /stats", "AdminService.GetStats"),
        Operation.of("GET /capture", "AdminService.GetCapture"),
        Operation.of("GET /usage", "AdminService.GetUsage"),
        Operation.of("GET /model-usage?days", "AdminService.GetModelUsage"),
        Operation.of("GET /audit?since=sinceMs&" + PAGE, "AdminService.ListAudit"),
        Operation.of("POST /verify", "AdminService.VerifyStore"),
        Operation.of("POST /forget", "AdminService.Forget"),
        Operation.of("POST /forget/preview", "AdminService.PreviewForget"),
        Operation.of("GET /workspaces?onlyProblems&" + PAGE, "WorkspaceService.ListWorkspaces"),
        Operation.of("POST /workspaces", "WorkspaceService.CreateWorkspace"));
  }
}
