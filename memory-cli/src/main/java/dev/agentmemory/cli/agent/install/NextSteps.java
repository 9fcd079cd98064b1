package dev.agentmemory.cli.agent.install;

import dev.agentmemory.agents.Agent;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// What an installation leaves to the user.
public final class NextSteps {

  private NextSteps() {}

  public static List<String> of(Agent agent, AgentSite site) {
    List<String> steps = new ArrayList<>();
    switch (agent) {
      case CLAUDE_CODE ->
          steps.add(
              "The plugin is loaded when the next session starts; `/plugin` lists it. Other programs"
                  + " of Claude Code can add it from the marketplace folder "
                  + site.plugin());
      case CODEX -> {
        steps.add(
            "REQUIRED: start codex, enter /hooks, and review and trust the hooks of agent-memory."
                + " Until then Codex skips them without a message, and nothing is recorded.");
        site.project()
            .ifPresent(dir -> steps.add("Codex must trust the project " + dir + ", too."));
      }
      case GEMINI ->
          steps.add(
              "If Gemini asks whether to trust the folder or the hooks, accept; without trust it"
                  + " skips them.");
      case COPILOT -> {
        if (site.project().isPresent()) {
          steps.add(
              "The hooks are in .github/hooks with paths of this machine: do not commit them. The MCP"
                  + " server can be set for the user only: memory install copilot");
        }
        steps.add("If Copilot asks whether to trust the folder, accept; without it skips hooks.");
      }
      case CURSOR ->
          steps.add(
              "Open Cursor's settings: Hooks must list those of agent-memory, and the MCP server"
                  + " agent-memory must be switched on under MCP.");
      case OPENCODE -> steps.add("Restart OpenCode: it loads plugins when it starts.");
    }
    site.project()
        .filter(_ -> agent != Agent.CLAUDE_CODE && agent != Agent.COPILOT)
        .ifPresent(dir -> steps.add(local(dir)));
    steps.add("Then ask something in a session, and see it arrive: memory tail -f");
    return List.copyOf(steps);
  }

  private static String local(Path dir) {
    return "The files in " + dir + " contain paths of this machine: do not commit them.";
  }
}
