package dev.agentmemory.api.audit;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// An administrative act: one that gives data away, deletes it or replaces it, or changes who may
/// do so.
public enum AuditAct {
  /// Events or memories are deleted for good.
  FORGET,
  /// Data is written to a file or passed on.
  EXPORT,
  /// A data directory is made of backups.
  RESTORE,
  /// A key of the console is handed to a browser.
  CONSOLE,
  TOKEN_CREATE,
  TOKEN_REVOKE,
  TOKEN_ROTATE,
  /// A daemon started with other settings than the one before.
  CONFIGURATION_CHANGE,
  /// Stored secrets are masked.
  SCRUB,
  /// A run of consolidation is undone.
  CONSOLIDATION_UNDO,
  WORKSPACE_CREATE,
  WORKSPACE_DELETE,
  BACKUP_CREATE,
  BACKUP_DELETE,
  /// Damaged stores are replaced by what can be read of them.
  RECOVER;

  /// As files, messages and commands write it, such as `token_create`.
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// The act that a text names; empty for one that this version does not know.
  public static Optional<AuditAct> of(String text) {
    return Arrays.stream(values()).filter(act -> act.toString().equals(text)).findFirst();
  }
}
