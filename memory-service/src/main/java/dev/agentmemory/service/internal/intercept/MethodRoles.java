package dev.agentmemory.service.internal.intercept;

import dev.agentmemory.api.access.Role;
import dev.agentmemory.proto.AdminServiceGrpc;
import dev.agentmemory.proto.IngestServiceGrpc;
import dev.agentmemory.proto.MemoryServiceGrpc;
import dev.agentmemory.proto.RecallServiceGrpc;
import dev.agentmemory.proto.SearchServiceGrpc;
import dev.agentmemory.proto.SessionServiceGrpc;
import dev.agentmemory.proto.TocServiceGrpc;
import dev.agentmemory.proto.WorkspaceServiceGrpc;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/// The role that a call of each method needs. A method that is not named here needs [Role#ADMIN],
/// so that a new one is not open by oversight.
final class MethodRoles {

  /// Reflection describes the protocol, which is public.
  private static final String REFLECTION = "grpc.reflection.";

  private final Map<String, Role> roles = new HashMap<>();

  MethodRoles() {
    add(
        Role.READER,
        AdminServiceGrpc.SERVICE_NAME,
        "Ping GetStats GetCapture GetUsage GetModelUsage");
    add(
        Role.READER,
        MemoryServiceGrpc.SERVICE_NAME,
        "GetTocRoot GetNode BrowseToc GetEvents ExpandGrip SearchNode SearchChildren"
            + " GetSchedulerStatus");
    add(Role.WRITER, MemoryServiceGrpc.SERVICE_NAME, "IngestEvent");
    add(Role.WRITER, IngestServiceGrpc.SERVICE_NAME, "IngestStream IngestBatch");
    add(
        Role.READER,
        RecallServiceGrpc.SERVICE_NAME,
        "GetMemory ListMemoryHistory ListMemories InspectMemories SearchMemories ListRelatedMemories GetMemoryStats"
            + " ListChannels GetConversation ListConversations GetConversationStats ReadScratchpad"
            + " ListScratchpad PreviewConsolidation ListConsolidations ExportMemories ListInjections"
            + " Orient");
    add(
        Role.WRITER,
        RecallServiceGrpc.SERVICE_NAME,
        "Remember UpdateMemory PinMemory DeleteMemories CreateChannel ChangeChannel"
            + " SetDefaultChannel StartConversation IdleConversation ArchiveConversation"
            + " ChangeConversation CompactConversation WriteScratchpad ClearScratchpad"
            + " ImportMemories RecordInjection");
    add(
        Role.READER,
        SearchServiceGrpc.SERVICE_NAME,
        "Search BuildContext GetActivity SearchStatus");
    add(
        Role.READER,
        SessionServiceGrpc.SERVICE_NAME,
        "ListSessions GetSession ListSessionEvents ListSegments FindSegments GetSegment");
    add(Role.READER, TocServiceGrpc.SERVICE_NAME, "GetNodes ListNodeVersions GetNodeVersion");
    add(Role.READER, WorkspaceServiceGrpc.SERVICE_NAME, "ListWorkspaces");
  }

  private void add(Role role, String service, String methods) {
    Arrays.stream(methods.split(" ")).forEach(method -> roles.put(service + "/" + method, role));
  }

  Role of(String fullMethodName) {
    return fullMethodName.startsWith(REFLECTION)
        ? Role.READER
        : roles.getOrDefault(fullMethodName, Role.ADMIN);
  }

  /// The methods that are named, for the test that they exist.
  Map<String, Role> named() {
    return Map.copyOf(roles);
  }
}
