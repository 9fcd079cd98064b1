package dev.agentmemory.cli.agent;

import dev.agentmemory.agents.Agent;
import dev.agentmemory.api.Version;
import dev.agentmemory.cli.agent.install.AgentFolder;
import dev.agentmemory.cli.agent.install.AgentSite;
import dev.agentmemory.cli.agent.install.FileChange;
import dev.agentmemory.cli.agent.install.Installation;
import dev.agentmemory.cli.agent.install.NextSteps;
import dev.agentmemory.cli.process.LauncherPlace;
import dev.agentmemory.cli.terminal.ExitCodes;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// Connects an agent.
@Command(
    name = "install",
    description = {
      "Connects a coding agent: its sessions are recorded, and it can search them.",
      "Adds hooks and an MCP server to the agent's settings, keeps a backup of each file in the data"
          + " directory and shows what was changed. No secret is in these files."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "`memory uninstall AGENT` takes it back; docs/agents.md says what is",
      "installed for which agent. `memory doctor` shows whether it works."
    })
final class InstallCommand implements Callable<Integer> {

  private final AgentContext memory;

  @Mixin private SiteOptions options = new SiteOptions();

  InstallCommand(AgentContext memory) {
    this.memory = memory;
  }

  @Override
  public Integer call() throws IOException {
    Agent agent = options.agent();
    AgentSite site = options.site(memory);
    var installation = new Installation(agent, site);
    List<FileChange> changes = installation.planned();
    if (!options.isDryRun()) {
      var folder = new AgentFolder(site, LauncherPlace.home());
      folder.write();
      if (agent == Agent.CLAUDE_CODE) {
        folder.writePlugin(Version.current());
      }
      installation.apply(changes);
    }
    memory.say(new ChangesReply(agent, changes, options.isDryRun(), NextSteps.of(agent, site)));
    return ExitCodes.OK;
  }
}
