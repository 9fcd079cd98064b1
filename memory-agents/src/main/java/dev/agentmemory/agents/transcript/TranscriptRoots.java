package dev.agentmemory.agents.transcript;

import dev.agentmemory.agents.Agent;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// The folders below which agents keep their transcripts.
///
/// A hook's payload names a file, and whoever can post can name any. So only a regular file of this
/// user below one of these folders is read, and no link leads to it.
public final class TranscriptRoots {

  private final Path home;
  private final Map<String, String> environment;

  /// @param home the user's home directory
  /// @param environment variables that move the folders, such as `CLAUDE_CONFIG_DIR`
  public TranscriptRoots(Path home, Map<String, String> environment) {
    this.home = home;
    this.environment = Map.copyOf(environment);
  }

  /// The folders of an agent, whether or not they exist.
  public List<Path> of(Agent agent) {
    return List.of(home.resolve(agent.id()).resolve(environment.getOrDefault("", "")));
  }

  /// Whether a transcript that a hook names may be read.
  public Check check(Agent agent, Path named) {
    return new Check.Refused("not below a folder of " + agent.id());
  }

  /// The result of a check.
  public sealed interface Check {

    /// @param file the real path
    record Allowed(Path file) implements Check {}

    /// There is no such file, yet or any more.
    record Absent() implements Check {}

    /// @param reason without the path
    record Refused(String reason) implements Check {}
  }

  /// All transcripts of an agent, subagents' included, in a stable order. Links are not followed.
  public List<Path> files(Agent agent) {
    return List.of();
  }
}
