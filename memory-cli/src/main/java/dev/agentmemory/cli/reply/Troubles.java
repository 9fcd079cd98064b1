package dev.agentmemory.cli.reply;

import dev.agentmemory.api.WorkspaceReport;
import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.util.List;
import java.util.Optional;

/// Problems that prevent the use of workspaces.
public final class Troubles {

  private Troubles() {}

  /// A sentence for every workspace with a problem. Empty when workspaces share a store: other
  /// answers report its problems.
  public static List<String> of(MemoryClient client) {
    return Page.stream(PageRequest.first(), client.workspaces()::troubled)
        .flatMap(workspace -> sentence(workspace).stream())
        .toList();
  }

  /// Problems of the requested workspace that are not among those of all workspaces.
  public static List<String> besides(List<String> troubles, List<String> own) {
    return own.stream()
        .filter(problem -> troubles.stream().noneMatch(trouble -> trouble.endsWith(problem)))
        .toList();
  }

  private static Optional<String> sentence(WorkspaceReport workspace) {
    String name = "workspace " + workspace.name();
    return workspace
        .problem()
        .map(problem -> problem.startsWith(name + " ") ? problem : name + ": " + problem);
  }

  /// Whether a call has failed because the store of its workspace cannot be used, although the
  /// daemon answers.
  public static boolean isOfStore(MemoryException failure) {
    ErrorCode code = failure.code();
    return switch (code.kind()) {
      case CONFLICT, CORRUPT -> true;
      case UNAVAILABLE -> code != ErrorCode.UNREACHABLE && code != ErrorCode.CLOSED;
      case CALLER, MISSING, BUSY, BUG -> false;
    };
  }
}
