package dev.agentmemory.engine.config;

import dev.agentmemory.config.Setting;
import dev.agentmemory.config.SettingReader;
import dev.agentmemory.types.WorkspaceName;
import java.time.Duration;
import java.util.List;

/// How agents are kept apart, and how many stores may be open.
///
/// @param mode whether each workspace has a store of its own
/// @param agentId the workspace (separate) or agent (unified) of a caller that names none
/// @param maxOpen at most that many stores are open at once
/// @param idleClose idle time after which a store is closed
public record WorkspacesConfig(Mode mode, String agentId, int maxOpen, Duration idleClose) {

  /// How agents are kept apart.
  public enum Mode {
    /// A store for each workspace.
    SEPARATE,
    /// One store for all; each event carries the agent that it is from.
    UNIFIED
  }

  public static final Setting<Mode> MODE =
      Setting.oneOf("multi_agent_mode", Mode.SEPARATE)
          .describedAs(
              "Whether each workspace has its own store (`separate`), or all agents share one store"
                  + " in which each event names its agent (`unified`).");

  private static final Setting<String> AGENT_ID =
      Setting.text(
              "agent_id",
              "default",
              "1 to 64 of `a-z 0-9 . _ -`, the first a letter or digit",
              WorkspacesConfig::checkName)
          .describedAs("Workspace or agent of callers that do not name one.");

  private static final Setting<Integer> MAX_OPEN =
      Setting.whole("workspaces.max_open", 16, "1 to 1000")
          .describedAs("Maximum number of stores that are open at once.");

  private static final Setting<Duration> IDLE_CLOSE =
      Setting.duration("workspaces.idle_close", "10m", "1s to 7d")
          .describedAs("Idle time after which a store is closed.");

  public static final List<Setting<?>> SETTINGS = List.of(MODE, AGENT_ID, MAX_OPEN, IDLE_CLOSE);

  public static final WorkspacesConfig DEFAULT = from(SettingReader.DEFAULTS);

  public WorkspacesConfig {
    AGENT_ID.check(agentId);
    MAX_OPEN.check(maxOpen);
    IDLE_CLOSE.check(idleClose);
  }

  public static WorkspacesConfig from(SettingReader settings) {
    return new WorkspacesConfig(
        settings.read(MODE),
        settings.read(AGENT_ID),
        settings.read(MAX_OPEN),
        settings.read(IDLE_CLOSE));
  }

  private static void checkName(String text) {
    if (WorkspaceName.of(text).isEmpty()) {
      throw new IllegalArgumentException(
          "expected 1 to 64 of a-z, 0-9, dot, hyphen, underscore, the first a letter or digit");
    }
  }
}
