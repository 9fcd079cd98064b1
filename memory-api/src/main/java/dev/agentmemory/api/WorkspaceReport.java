package dev.agentmemory.api;

import dev.agentmemory.types.WorkspaceName;
import java.time.Instant;
import java.util.Optional;

/// What is known of a workspace, open or not.
///
/// @param open whether its store is open now
/// @param lastUsed when a call last used it; empty when that is not known
/// @param content what it holds; empty when that is not known: its store is closed and was not
///   closed cleanly, or cannot be opened
/// @param diskBytes size of its files
/// @param problem why it cannot be used and what to do about it; empty if there is none
public record WorkspaceReport(
    WorkspaceName name,
    boolean open,
    Optional<Instant> lastUsed,
    Optional<Content> content,
    long diskBytes,
    Optional<String> problem) {

  /// What a workspace holds.
  public record Content(long events, long sessions) {}
}
