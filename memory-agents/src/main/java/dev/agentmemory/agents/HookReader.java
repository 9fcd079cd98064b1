package dev.agentmemory.agents;

import dev.agentmemory.agents.internal.PayloadFields;
import java.util.Optional;

/// Reads what agents send to their hooks. Tolerant: what is unknown is kept in metadata or noted,
/// and nothing is an error.
public final class HookReader {

  private HookReader() {}

  /// What a message says. Never throws for any content of the message.
  public static HookCapture read(HookMessage message) {
    return read(message, UnrecordedTimes.NONE);
  }

  /// The same without what tools were called with at times at which nothing was recorded.
  public static HookCapture read(HookMessage message, UnrecordedTimes unrecorded) {
    Optional<PayloadFields> fields = PayloadFields.parse(message.body());
    if (fields.isEmpty()) {
      return HookCapture.unreadable(message.agent(), "the payload is no JSON object");
    }
    Agent agent = HookSender.of(message, fields.get());
    var call = new HookCall(agent, message, fields.get(), unrecorded);
    switch (agent) {
      case CLAUDE_CODE -> ClaudeHooks.read(call);
      case CODEX -> CodexHooks.read(call);
      case GEMINI -> GeminiHooks.read(call);
      case COPILOT -> CopilotHooks.read(call);
      case CURSOR -> CursorHooks.read(call);
      case OPENCODE -> OpenCodeHooks.read(call);
    }
    return call.capture();
  }
}
