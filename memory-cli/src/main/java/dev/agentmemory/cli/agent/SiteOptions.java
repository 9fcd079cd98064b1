package dev.agentmemory.cli.agent;

import dev.agentmemory.agents.Agent;
import dev.agentmemory.agents.AgentHome;
import dev.agentmemory.cli.agent.install.AgentSite;
import dev.agentmemory.types.MemoryException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Which agent, whose settings, and whether they are changed.
final class SiteOptions {

  @Parameters(
      paramLabel = "AGENT",
      description = "The agent: claude-code, codex, gemini, copilot, cursor or opencode.")
  private String name = "";

  @Option(
      names = "--project",
      paramLabel = "DIR",
      arity = "0..1",
      fallbackValue = ".",
      description = "Settings of the project in DIR (default: this directory) only.")
  private Optional<Path> project = Optional.empty();

  @Option(names = "--user", description = "Settings of the user, for all projects (default).")
  private boolean user;

  @Option(names = "--dry-run", description = "Show what would be changed, and change nothing.")
  private boolean dryRun;

  /// @throws MemoryException `INVALID_FIELD`
  Agent agent() {
    return Agent.of(name)
        .orElseThrow(() ->
            MemoryException.invalid(
                "AGENT",
                "is `%s`; expected %s"
                    .formatted(
                        name,
                        Arrays.stream(Agent.values())
                            .map(Agent::id)
                            .collect(Collectors.joining(", ")))));
  }

  /// @throws MemoryException `INVALID_FIELD` when both scopes are given
  AgentSite site(AgentContext memory) {
    if (user && project.isPresent()) {
      throw MemoryException.invalid("--user", "is given with --project; give one of them");
    }
    return site(memory, project.map(SiteOptions::whole));
  }

  static AgentSite site(AgentContext memory, Optional<Path> project) {
    return new AgentSite(
        memory.data(), AgentHome.of(memory.environment()), memory.environment(), project);
  }

  /// Whether nothing is to be changed.
  boolean isDryRun() {
    return dryRun;
  }

  private static Path whole(Path dir) {
    return dir.toAbsolutePath().normalize();
  }
}
