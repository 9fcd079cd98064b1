package dev.agentmemory.api.changes;

/// What was changed behind a position.
///
/// @param position from which to go on
/// @param isReset whether it is not known what was changed, because the position is too old, or of
///   an earlier run: everything that is shown has to be read again
/// @param items empty after a reset
public record WorkspaceChanges(String position, boolean isReset, ChangedItems items) {}
