package dev.agentmemory.agents.transcript;

import dev.agentmemory.agents.Agent;
import java.io.IOException;
import java.util.Optional;

/// Reads the transcripts of one agent, from a place in them to another. The caller stores offset
/// and state of each part, and reads on from there. Stateless and thread-safe.
public interface TranscriptFormat {

  /// Reads on from a place. A file that is shorter than the offset, or in whose place another one
  /// lies, is read from its beginning: the events' ids make repeats harmless.
  ///
  /// @throws IOException when the file cannot be read
  TranscriptPart read(TranscriptSource from) throws IOException;

  /// The format of an agent.
  static Optional<TranscriptFormat> of(Agent agent) {
    return Optional.of(
        switch (agent) {
          case CLAUDE_CODE -> new ClaudeTranscript();
          case CODEX -> new CodexTranscript();
          case GEMINI -> new GeminiTranscript();
          case COPILOT -> new CopilotTranscript();
          case CURSOR -> new CursorTranscript();
          case OPENCODE -> new OpenCodeExport();
        });
  }
}
