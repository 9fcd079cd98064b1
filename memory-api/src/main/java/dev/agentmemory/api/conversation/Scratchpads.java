package dev.agentmemory.api.conversation;

import dev.agentmemory.types.SessionId;
import java.util.List;
import java.util.Optional;

/// Working values of conversations: key to JSON value. They stay until they are cleared and are
/// never sent to a model by themselves. They count against the quota of the session, which need not
/// have events yet.
public interface Scratchpads {

  /// Writes a value; secrets in it are masked.
  ///
  /// @param key 1 to [ScratchpadEntry#MAX_KEY] printable characters
  /// @param value one JSON value of any type, at most [ScratchpadEntry#MAX_VALUE] bytes
  /// @throws dev.agentmemory.types.MemoryException `INVALID_FIELD`; `QUOTA_EXCEEDED` when the
  ///   session has [ScratchpadEntry#MAX_ENTRIES] keys or reaches its quota
  ScratchpadEntry write(SessionId session, String key, String value);

  Optional<ScratchpadEntry> read(SessionId session, String key);

  /// All entries by key.
  List<ScratchpadEntry> list(SessionId session);

  /// Deletes an entry.
  ///
  /// @return how many were deleted, 0 or 1
  /// @throws dev.agentmemory.types.MemoryException `INVALID_FIELD` naming `key`
  long clear(SessionId session, String key);

  /// Deletes all entries of a session.
  ///
  /// @return how many were deleted
  long clear(SessionId session);
}
