package dev.agentmemory.cli.reply;

import dev.agentmemory.api.WorkspaceReport;
import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.util.List;
import java.util.Optional;

/// What keeps workspaces from being used.
public final class Troubles {

  private Troubles() {}

  /// Every workspace with a problem, as a sentence. Where workspaces share a store there are none:
  /// its problems are in the answers to other calls.
  public static List<String> of(MemoryClient client) {
    return Page.stream(PageRequest.first(), client.workspaces()::troubled)
        .flatMap(workspace -> sentence(workspace).stream())
        .toList();
  }

  /// Problems of the workspace that was asked for that are not among those of all workspaces.
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

  /// Whether a call has failed because the store of its workspace cannot be used; the daemon
  /// answers all the same.
  public static boolean isOfStore(MemoryException failure) {
    ErrorCode code = failure.code();
    return switch (code.kind()) {
      case CONFLICT, CORRUPT -> true;
      case UNAVAILABLE -> code != ErrorCode.UNREACHABLE && code != ErrorCode.CLOSED;
      case CALLER, MISSING, BUSY, BUG -> false;
    };
  }
}
