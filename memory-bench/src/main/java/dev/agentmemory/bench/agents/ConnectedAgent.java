package dev.agentmemory.bench.agents;

import dev.agentmemory.bench.agents.model.ModelStandIn;
import dev.agentmemory.bench.agents.program.AgentRun;
import dev.agentmemory.bench.agents.program.InstalledAgent;
import dev.agentmemory.bench.daemon.Children;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// An agent in a home directory of its own.
final class ConnectedAgent {

  private final InstalledAgent agent;
  private final Path home;
  private final Path tools;
  private final ModelStandIn model;

  private ConnectedAgent(InstalledAgent agent, Path home, Path tools, ModelStandIn model) {
    this.agent = agent;
    this.home = home;
    this.tools = tools;
    this.model = model;
  }

  /// Creates the home directory with a project in it, and the settings for the stand-in.
  ///
  /// @param tools a folder that precedes the others of the path
  static ConnectedAgent create(InstalledAgent agent, Path home, Path tools, ModelStandIn model)
      throws IOException, InterruptedException {
    Path project = Files.createDirectories(home.resolve("project"));
    Files.writeString(project.resolve("README.md"), "# A project\n");
    Process git =
        Children.start(
            new ProcessBuilder("git", "init", "-q", ".")
                .directory(project.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD));
    if (git.waitFor() != 0) {
      throw new IllegalStateException("git init failed in " + project);
    }
    agent.program().prepare(home, model.url());
    Files.createDirectories(tools);
    return new ConnectedAgent(agent, home, tools, model);
  }

  AgentRun run(List<String> arguments) throws IOException, InterruptedException {
    return AgentRun.of(agent, home, model.url(), tools, arguments);
  }
}
