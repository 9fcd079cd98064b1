package dev.agentmemory.agents;

/// Reads what agents send to their hooks. Tolerant: what is unknown is kept in metadata or noted,
/// and nothing is an error.
public final class HookReader {

  private HookReader() {}

  /// What a message says. Never throws for any content of the message.
  public static HookCapture read(HookMessage message) {
    return HookCapture.unreadable("not read: " + message.event());
  }
}
