package dev.agentmemory.gateway.mcp.protocol;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// A revision of the protocol that is served.
public enum McpRevision {
  /// Every request stands for itself and names the revision and the client's capabilities.
  R2026_07_28("2026-07-28"),
  R2025_11_25("2025-11-25"),
  R2025_06_18("2025-06-18"),
  R2025_03_26("2025-03-26");

  /// What a client is offered that asks for a revision that is not served.
  static final McpRevision OFFERED = R2025_11_25;

  private final String date;

  McpRevision(String date) {
    this.date = date;
  }

  /// As it is written in messages.
  public String date() {
    return date;
  }

  static Optional<McpRevision> of(String date) {
    return Arrays.stream(values()).filter(revision -> revision.date.equals(date)).findFirst();
  }

  /// Those that are served, the latest first.
  static List<String> dates() {
    return Arrays.stream(values()).map(McpRevision::date).toList();
  }

  /// Whether its clients begin with `initialize`.
  public boolean initializes() {
    return this != R2026_07_28;
  }
}
