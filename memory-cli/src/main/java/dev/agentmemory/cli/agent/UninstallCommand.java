package dev.agentmemory.cli.agent;

import dev.agentmemory.agents.Agent;
import dev.agentmemory.cli.agent.install.AgentFolder;
import dev.agentmemory.cli.agent.install.AgentSite;
import dev.agentmemory.cli.agent.install.FileChange;
import dev.agentmemory.cli.agent.install.Installation;
import dev.agentmemory.cli.terminal.ExitCodes;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// Disconnects an agent.
@Command(
    name = "uninstall",
    description = {
      "Takes back what `memory install` added to an agent's settings, and nothing else.",
      "A file that has not changed since gets its former content, byte for byte. What was recorded"
          + " stays."
    },
    mixinStandardHelpOptions = true)
final class UninstallCommand implements Callable<Integer> {

  private final AgentContext memory;

  @Mixin private SiteOptions options = new SiteOptions();

  UninstallCommand(AgentContext memory) {
    this.memory = memory;
  }

  @Override
  public Integer call() throws IOException {
    Agent agent = options.agent();
    AgentSite site = options.site(memory);
    var installation = new Installation(agent, site);
    List<FileChange> changes = installation.removal();
    if (!options.isDryRun()) {
      installation.apply(changes);
      installation.forget();
      if (agent == Agent.CLAUDE_CODE && !AgentFolder.isUsed(site, agent)) {
        AgentFolder.deletePlugin(site);
      }
    }
    List<String> next =
        changes.isEmpty() ? List.of() : List.of("Restart sessions of the agent that are running.");
    memory.say(new ChangesReply(agent, changes, options.isDryRun(), next));
    return ExitCodes.OK;
  }
}
