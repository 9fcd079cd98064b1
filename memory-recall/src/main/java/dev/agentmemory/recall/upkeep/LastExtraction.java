package dev.agentmemory.recall.upkeep;

import dev.agentmemory.types.SessionId;

/// Extracts memories from a session for the last time before its memories of scope conversation
/// end.
public interface LastExtraction {

  /// There is nothing to extract.
  LastExtraction NONE = _ -> true;

  /// Called with nothing locked. Extracting again changes nothing.
  ///
  /// @return whether the session is extracted; if not, its memories stay until a later run
  boolean extract(SessionId session);
}
