package dev.agentmemory.gateway.hook;

import dev.agentmemory.agents.HookCapture;
import dev.agentmemory.agents.event.AgentMetadata;
import dev.agentmemory.gateway.mcp.ToolUseDirectory;
import dev.agentmemory.spi.Mutex;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.WorkspaceName;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The tool calls that hooks and transcripts have named since the start, the newest of them.
final class SeenToolUses implements ToolUseDirectory {

  static final int MOST = 4096;

  private final Mutex lock = new Mutex();
  private final Map<String, ToolUse> uses = new LinkedHashMap<>();

  /// Remembers the call that a message is about. That the project is not recorded does not matter:
  /// its agent can search all the same.
  void add(HookCapture capture, WorkspaceName workspace) {
    capture.toolUse().ifPresent(id -> add(id, workspace, capture.session()));
    add(capture.events(), workspace);
  }

  void add(List<Event> events, WorkspaceName workspace) {
    for (Event event : events) {
      String id = event.metadata().getOrDefault(AgentMetadata.TOOL_USE, "");
      if (!id.isEmpty()) {
        add(id, workspace, Optional.of(event.session()));
      }
    }
  }

  private void add(String id, WorkspaceName workspace, Optional<SessionId> session) {
    try (var _ = lock.hold()) {
      uses.remove(id);
      uses.put(id, new ToolUse(workspace, session));
      if (uses.size() > MOST) {
        uses.remove(uses.keySet().iterator().next());
      }
    }
  }

  @Override
  public Optional<ToolUse> find(String id) {
    try (var _ = lock.hold()) {
      return Optional.ofNullable(uses.get(id));
    }
  }
}
