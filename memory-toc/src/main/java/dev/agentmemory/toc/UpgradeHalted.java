package dev.agentmemory.toc;

import java.time.Instant;
import java.util.Optional;

/// Nodes wait for better words and cannot get them now. The message tells an operator why; nothing
/// is lost.
public final class UpgradeHalted extends RuntimeException {

  private final transient Optional<Instant> until;

  UpgradeHalted(String message, Optional<Instant> until) {
    super(message);
    this.until = until;
  }

  /// When it is worth trying again; empty when somebody has to change something first.
  public Optional<Instant> until() {
    return until;
  }
}
