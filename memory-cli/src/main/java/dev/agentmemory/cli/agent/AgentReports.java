package dev.agentmemory.cli.agent;

import dev.agentmemory.agents.recording.CaptureFile;
import dev.agentmemory.api.Version;
import dev.agentmemory.api.gateway.CaptureReport;
import dev.agentmemory.cli.agent.install.AgentFolder;
import dev.agentmemory.cli.agent.install.AgentHealth;
import dev.agentmemory.cli.agent.install.AgentSite;
import dev.agentmemory.cli.process.LauncherPlace;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// What other commands say about agents, and do for them.
public final class AgentReports {

  private AgentReports() {}

  /// Whether agents are connected.
  ///
  /// @param running whether a daemon runs
  public static List<AgentHealth.AgentFinding> health(AgentContext memory, boolean running) {
    AgentSite site = SiteOptions.site(memory, Optional.empty());
    return new AgentHealth(site, memory.system().now()).look(running);
  }

  /// The same and more for the daemon, which reads the settings of the user that has started it.
  ///
  /// @param site the places of this user's agents
  public static CaptureReport captures(AgentSite site, Instant now) {
    return new AgentHealth(site, now).captures(/* running= */ true, capture(site.data()));
  }

  /// Whether sessions are recorded: `on`, `off`, or where they are not.
  public static String capture(AgentContext memory) {
    return capture(memory.data());
  }

  private static String capture(Path data) {
    try {
      return CaptureFile.read(data).sentence();
    } catch (MemoryException e) {
      return "off, because %s cannot be read".formatted(CaptureFile.NAME);
    }
  }

  /// Why it cannot be known whether sessions are recorded, so that none is. Empty as a rule.
  public static List<String> problems(AgentContext memory) {
    try {
      var _ = CaptureFile.read(memory.data());
      return List.of();
    } catch (MemoryException e) {
      return List.of(String.valueOf(e.getMessage()));
    }
  }

  /// Brings what agents run to this version of the program, when a daemon of it starts. A failure
  /// leaves the former version in place, which works, too.
  public static void refresh(AgentContext memory) {
    Optional<Path> program = LauncherPlace.find();
    if (program.isPresent()) {
      try {
        AgentSite site = SiteOptions.site(memory, Optional.empty());
        new AgentFolder(site, program.get()).refresh(Version.current());
      } catch (IOException e) {
        memory.screen().error("agents keep the former memory-hook: " + e.getMessage());
      }
    }
  }
}
