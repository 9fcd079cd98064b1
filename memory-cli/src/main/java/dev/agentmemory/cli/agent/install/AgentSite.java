package dev.agentmemory.cli.agent.install;

import dev.agentmemory.agents.Agent;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The places of one installation.
///
/// @param data the data directory, absolute
/// @param home the home of the user whose agents are installed for
/// @param environment variables by which agents move their settings
/// @param project the directory whose settings are meant; empty for those of the user
public record AgentSite(
    Path data, Path home, Map<String, String> environment, Optional<Path> project) {

  public AgentSite {
    environment = Map.copyOf(environment);
  }

  /// Everything in the data directory that settings of agents refer to. These paths stay the same
  /// when another version of the program is unpacked elsewhere, so the settings do, too.
  public Path folder() {
    return data.resolve("agents");
  }

  /// The copy of `memory-hook` for this data directory.
  public Path hook() {
    return folder().resolve("memory-hook");
  }

  /// A link to the launcher.
  public Path launcher() {
    return folder().resolve("memory");
  }

  /// The plugin of Claude Code, which is a marketplace, too.
  public Path plugin() {
    return folder().resolve(Agent.CLAUDE_CODE.id());
  }

  /// The command of a hook, for a shell.
  String command(Agent agent, String event) {
    return shell(hook().toString()) + " " + agent.id() + " " + event;
  }

  /// The command of the MCP server and its arguments.
  List<String> server() {
    return List.of(launcher().toString(), "mcp", "--data", data.toString());
  }

  /// The folder of an agent's settings for the user.
  Path ofUser(String variable, String otherwise) {
    return variable(variable).orElseGet(() -> home.resolve(otherwise));
  }

  Optional<Path> variable(String name) {
    return Optional.ofNullable(environment.get(name))
        .filter(value -> !value.isBlank())
        .map(Path::of)
        .filter(Path::isAbsolute);
  }

  private static String shell(String word) {
    return word.matches("[A-Za-z0-9_./@%+=:,-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
