package dev.agentmemory.api.changes;

/// Reads the changes of one workspace. It does not keep the workspace open.
public interface ChangeReader extends AutoCloseable {

  /// The position behind all that was changed up to now.
  String position();

  /// What was changed behind a position, at once. Cheap: it reads no table.
  ///
  /// @param position that [#position] or an earlier [WorkspaceChanges] gave; any other is a reset
  WorkspaceChanges after(String position);

  /// A second call does nothing.
  @Override
  void close();
}
