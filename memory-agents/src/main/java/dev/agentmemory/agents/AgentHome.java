package dev.agentmemory.agents;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/// The home directory as agents find it. They follow the variable, which can differ from the
/// directory that the system has for the user: in a container, or after `sudo -E`.
public final class AgentHome {

  private AgentHome() {}

  /// The directory that `HOME` names; without one, that of the user.
  public static Path of(Map<String, String> environment) {
    return Optional.ofNullable(environment.get("HOME"))
        .filter(value -> !value.isBlank())
        .map(Path::of)
        .orElseGet(() -> Path.of(System.getProperty("user.home", ".")));
  }
}
