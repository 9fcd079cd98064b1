package dev.agentmemory.agents;

/// The bodies of answers to hooks, in the form that each agent takes.
public final class HookReplies {

  private HookReplies() {}

  /// The body that gives an agent a text as context; empty where the event takes none, and for an
  /// empty text.
  ///
  /// @param event the agent's own name of the event
  public static String context(Agent agent, String event, String text) {
    return "";
  }

  /// Most characters of context that an agent shows to its model whole.
  public static int limit(Agent agent) {
    return 10_000;
  }
}
