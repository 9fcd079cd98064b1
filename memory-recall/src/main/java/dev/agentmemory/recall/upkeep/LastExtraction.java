package dev.agentmemory.recall.upkeep;

import dev.agentmemory.types.SessionId;

/// Extracts memories from a session for the last time, when its memories of scope conversation end.
public interface LastExtraction {

  /// There is nothing to extract.
  LastExtraction NONE = _ -> true;

  /// Called with nothing locked. Extracting again changes nothing.
  ///
  /// @return whether the session is extracted; if not, its memories stay until a later run
  boolean extract(SessionId session);

  /// Whether a session has events that were not read yet. Cheap; called with nothing locked.
  default boolean isLeft(SessionId session) {
    return false;
  }
}
