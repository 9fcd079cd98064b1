package dev.agentmemory.cli.agent;

import dev.agentmemory.agents.project.ProjectNames;
import dev.agentmemory.api.WorkspaceReport;
import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.types.WorkspaceName;
import java.nio.file.Path;
import java.util.Optional;

/// Connections of the commands that show what agents did. Sessions of an agent are in the workspace
/// of their project, so these commands read that of the directory they are called in.
final class ProjectConnection {

  private static final int PAGE = 1000;

  private ProjectConnection() {}

  /// The workspace that is named, else that of this directory's project if there is one, else the
  /// daemon's default.
  static MemoryClient open(AgentContext memory) {
    Optional<WorkspaceName> named = memory.workspace();
    if (named.isPresent()) {
      return memory.connect(named);
    }
    WorkspaceName here = ProjectNames.workspaces(memory.data()).of(Path.of("").toAbsolutePath());
    MemoryClient client = memory.connect(Optional.empty());
    try {
      if (!exists(client, here)) {
        return client;
      }
    } catch (RuntimeException e) {
      client.close();
      throw e;
    }
    client.close();
    return memory.connect(Optional.of(here));
  }

  private static boolean exists(MemoryClient client, WorkspaceName name) {
    return Page.stream(PageRequest.of(PAGE), client.workspaces()::list)
        .map(WorkspaceReport::name)
        .anyMatch(name::equals);
  }
}
