package dev.agentmemory.agents;

import java.time.Instant;
import java.util.Map;

/// One call of a hook, as it arrived.
///
/// @param event the agent's own name of the event; may be empty when the payload names it
/// @param body the payload: JSON, but nothing about it is certain
/// @param variables named environment variables of the hook's process, such as `CLAUDE_PROJECT_DIR`
/// @param received the daemon's time, or that of the spooled file
public record HookMessage(
    Agent agent, String event, String body, Map<String, String> variables, Instant received) {

  public HookMessage {
    variables = Map.copyOf(variables);
  }
}
