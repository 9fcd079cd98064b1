package dev.agentmemory.api.access;

import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// Whose token a request carries.
///
/// @param token its name
/// @param workspaces those that it is for; empty for all
public record Caller(String token, Role role, Set<WorkspaceName> workspaces) {

  /// Whoever has the token of the data directory. May do everything.
  public static final Caller OWNER = new Caller("owner", Role.ADMIN, Set.of());

  public Caller {
    workspaces = Set.copyOf(workspaces);
  }

  /// @throws MemoryException `FORBIDDEN` when the token does not allow what needs a role
  public void require(Role needed) {
    if (!role.covers(needed)) {
      throw forbidden("is a %s token; this needs a token with the role %s".formatted(role, needed));
    }
  }

  /// @param asked the workspace that the request names
  /// @throws MemoryException `FORBIDDEN` when the token is for others
  public void require(Optional<WorkspaceName> asked) {
    if (!isForAll() && asked.filter(workspaces::contains).isEmpty()) {
      throw forbidden(
          "is for %s only; name %s with memory-workspace"
              .formatted(names(), workspaces.size() == 1 ? "it" : "one of them"));
    }
  }

  /// @throws MemoryException `FORBIDDEN` when the token is for some workspaces, and the request is
  ///   about the whole daemon
  public void requireAll() {
    if (!isForAll()) {
      throw forbidden("is for %s only; this needs a token for all workspaces".formatted(names()));
    }
  }

  /// Whether the token is for all workspaces, and so for what concerns the whole daemon.
  public boolean isForAll() {
    return workspaces.isEmpty();
  }

  private String names() {
    return (workspaces.size() == 1 ? "workspace " : "workspaces ")
        + String.join(
            ", ", new TreeSet<>(workspaces.stream().map(WorkspaceName::toString).toList()));
  }

  private MemoryException forbidden(String why) {
    return new MemoryException(ErrorCode.FORBIDDEN, "the token " + token + " " + why);
  }
}
