package dev.agentmemory.agents;

import dev.agentmemory.agents.internal.PayloadFields;

/// Determines which agent sent a payload. Copilot and Cursor also load the hooks of Claude Code's
/// settings, and then send payloads of their own under its name.
final class HookSender {

  private HookSender() {}

  static Agent of(HookMessage message, PayloadFields fields) {
    if (message.agent() != Agent.CLAUDE_CODE) {
      return message.agent();
    }
    if (fields.has("cursor_version") || fields.has("conversation_id")) {
      return Agent.CURSOR;
    }
    String transcript = fields.text("transcript_path", "transcriptPath");
    boolean copilot =
        message.variables().containsKey("COPILOT_CLI")
            || message.variables().containsKey("COPILOT_PROJECT_DIR")
            || fields.has("sessionId")
            || fields.has("tool_result")
            || transcript.contains("/.copilot/")
            // Claude Code names a transcript in each payload and the time in none.
            || (fields.has("timestamp") && transcript.isEmpty());
    return copilot ? Agent.COPILOT : Agent.CLAUDE_CODE;
  }
}
