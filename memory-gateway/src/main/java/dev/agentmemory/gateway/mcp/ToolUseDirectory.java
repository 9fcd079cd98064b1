package dev.agentmemory.gateway.mcp;

import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.WorkspaceName;
import java.util.Optional;

/// Knows the tool calls that hooks have reported. An agent that names a call by the same id over
/// MCP needs not name its workspace there.
///
/// Any thread may ask; nothing is read from a disk.
public interface ToolUseDirectory {

  /// Knows none.
  ToolUseDirectory NONE = _ -> Optional.empty();

  /// @param id such as the value of `claudecode/toolUseId` in a call's metadata
  /// @return empty when no hook has reported it, or too long ago
  Optional<ToolUse> find(String id);

  /// Where a tool is called.
  record ToolUse(WorkspaceName workspace, Optional<SessionId> session) {}
}
