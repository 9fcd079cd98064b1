package dev.agentmemory.gateway.hook;

import dev.agentmemory.agents.project.ProjectWorkspaces;
import dev.agentmemory.api.WorkspaceSource;
import dev.agentmemory.api.WorkspaceSource.Access;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.engine.Engine;
import dev.agentmemory.types.Event;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// What is stored of a project.
final class StoredEvents {

  private StoredEvents() {}

  /// The first 100 events, the earliest first.
  static List<Event> of(Engine engine, Path project) {
    var name = Optional.of(ProjectWorkspaces.DEFAULT.of(project));
    try (WorkspaceSource.Lease lease = engine.source().lease(name, Access.READ).join()) {
      return lease
          .memory()
          .events()
          .between(Instant.EPOCH, Instant.MAX, PageRequest.of(100))
          .items();
    }
  }
}
