package dev.agentmemory.engine.config;

import java.time.Duration;
import java.util.Objects;
import java.util.regex.Pattern;

/// How agents are kept apart, and how many stores may be open.
///
/// @param mode whether each workspace has a store of its own
/// @param agentId the workspace (separate) or agent (unified) of a caller that names none
/// @param maxOpen at most that many stores are open at once, 1 to 1000
/// @param idleClose how long nobody needs a store before it is closed
public record WorkspacesConfig(Mode mode, String agentId, int maxOpen, Duration idleClose) {

  /// How agents are kept apart.
  public enum Mode {
    /// A store for each workspace.
    SEPARATE,
    /// One store for all; each event carries the agent that it is from.
    UNIFIED
  }

  /// What a workspace or agent may be called.
  public static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9._-]{0,63}");

  /// What holds where nothing else is said.
  public static final WorkspacesConfig DEFAULT =
      new WorkspacesConfig(Mode.SEPARATE, "default", 16, Duration.ofMinutes(10));

  public WorkspacesConfig {
    Objects.requireNonNull(mode, "mode");
    Objects.requireNonNull(idleClose, "idleClose");
    if (!NAME.matcher(agentId).matches()) {
      throw new IllegalArgumentException("agentId is not of the form " + NAME);
    }
    if (maxOpen < 1 || maxOpen > 1000) {
      throw new IllegalArgumentException("maxOpen outside 1..1000: " + maxOpen);
    }
    if (idleClose.isNegative() || idleClose.isZero()) {
      throw new IllegalArgumentException("idleClose is not positive: " + idleClose);
    }
  }
}
