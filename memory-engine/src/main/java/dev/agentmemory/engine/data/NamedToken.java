package dev.agentmemory.engine.data;

import dev.agentmemory.api.access.Caller;
import dev.agentmemory.api.access.Role;
import dev.agentmemory.api.access.TokenHash;
import dev.agentmemory.types.WorkspaceName;
import java.time.Instant;
import java.util.Set;
import java.util.regex.Pattern;

/// A further token of a data directory, without its secret.
///
/// @param name 1 to 64 of `a-z 0-9 . _ -`
/// @param workspaces those that it is for; empty for all
public record NamedToken(
    String name, Role role, Set<WorkspaceName> workspaces, Instant created, TokenHash hash) {

  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9._-]{0,63}");

  /// @throws IllegalArgumentException when the name is not of that form
  public NamedToken {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "is not a token's name; use 1 to 64 of a-z, 0-9, '.', '_' and '-', beginning with a"
              + " letter or digit");
    }
    workspaces = Set.copyOf(workspaces);
  }

  Caller caller() {
    return new Caller(name, role, workspaces);
  }
}
