package dev.agentmemory.api.changes;

import java.util.Optional;

/// Reads the changes of one workspace. It does not keep the workspace open.
public interface ChangeReader extends AutoCloseable {

  /// What was changed behind a position, at once. Cheap: it reads no table.
  ///
  /// @param position of an earlier [Changes]; empty for the present, behind which is nothing
  Changes after(Optional<String> position);

  /// A second call does nothing.
  @Override
  void close();
}
