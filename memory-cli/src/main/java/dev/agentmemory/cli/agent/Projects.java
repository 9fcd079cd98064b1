package dev.agentmemory.cli.agent;

import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.nio.file.Path;

/// Projects as the daemon knows them.
final class Projects {

  private Projects() {}

  /// The name of the workspace of a directory's project.
  ///
  /// @throws MemoryException `NOT_FOUND` when there is no such directory
  static String workspace(AgentContext memory, Path dir) {
    try {
      return dir.toRealPath().getFileName().toString();
    } catch (IOException e) {
      throw new MemoryException(ErrorCode.NOT_FOUND, "there is no directory " + dir, e);
    }
  }
}
