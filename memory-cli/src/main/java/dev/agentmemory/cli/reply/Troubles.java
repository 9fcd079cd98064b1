package dev.agentmemory.cli.reply;

import dev.agentmemory.api.WorkspaceReport;
import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

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

  /// The problem of a failed call, and those of all workspaces. It can be one of them; then it is
  /// known by its beginning, since answers name files without their paths.
  public static List<String> with(MemoryException failure, List<String> troubles) {
    String own = String.valueOf(failure.getMessage());
    String beginning = own.substring(0, own.indexOf(": ") + 1);
    boolean told =
        troubles.contains(own)
            || (!beginning.isEmpty()
                && troubles.stream().anyMatch(trouble -> trouble.startsWith(beginning)));
    return told ? troubles : Stream.concat(Stream.of(own), troubles.stream()).toList();
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
