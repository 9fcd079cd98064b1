package dev.agentmemory.cli.process;

import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;
import java.util.Map;
import java.util.Optional;

/// The workspace that the environment names.
public final class NamedWorkspace {

  private static final String VARIABLE = "MEMORY_WORKSPACE";

  private NamedWorkspace() {}

  /// @return empty when it names none
  /// @throws MemoryException `INVALID_FIELD` when the name is not valid
  public static Optional<WorkspaceName> of(Map<String, String> environment) {
    return Optional.ofNullable(environment.get(VARIABLE))
        .filter(name -> !name.isBlank())
        .map(name -> WorkspaceName.parse(VARIABLE, name));
  }
}
