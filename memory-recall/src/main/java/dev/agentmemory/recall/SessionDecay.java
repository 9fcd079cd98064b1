package dev.agentmemory.recall;

import dev.agentmemory.api.conversation.SessionOverrides;
import dev.agentmemory.types.SessionId;
import java.util.Optional;

/// How the memories of a session decay, where that differs from the configuration.
public interface SessionDecay {

  /// All sessions follow the configuration.
  SessionDecay NONE = _ -> Optional.empty();

  /// The overrides of a session; empty when it has none. Called once for each session of a search,
  /// so it must not read from disk.
  Optional<SessionOverrides> overrides(SessionId session);
}
