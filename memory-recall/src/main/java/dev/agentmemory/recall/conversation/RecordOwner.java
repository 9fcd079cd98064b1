package dev.agentmemory.recall.conversation;

import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.WorkspaceName;
import java.util.Optional;

/// Whose records a caller reads and writes. Keys of records are `kind:prefix` and what makes the
/// record unique, so the records of one workspace stand together:
///
/// ```
/// conversation:s1             of the only workspace of a store
/// conversation:@alpha/s1      of alpha, which shares its store with others
/// ```
///
/// The session ids that such a store itself has begin with `@alpha/`. So who reads all workspaces
/// finds the same records without a prefix.
///
/// @param prefix empty, or `@`, the name of a workspace and `/`
/// @param all whether the caller reads the records of all workspaces of a shared store
public record RecordOwner(String prefix, boolean all) {

  private static final RecordOwner ONLY = new RecordOwner("", /* all= */ false);
  private static final RecordOwner ALL = new RecordOwner("", /* all= */ true);

  /// The only workspace of a store.
  public static RecordOwner only() {
    return ONLY;
  }

  /// A workspace of a store that workspaces share.
  public static RecordOwner of(WorkspaceName workspace) {
    return new RecordOwner(prefix(workspace), /* all= */ false);
  }

  /// All workspaces of a store that they share. Writes are refused.
  public static RecordOwner ofAll() {
    return ALL;
  }

  private static String prefix(WorkspaceName workspace) {
    return "@" + workspace.value() + "/";
  }

  /// The name between `@` and `/` of a prefix.
  static Optional<WorkspaceName> workspace(String prefix) {
    return prefix.isEmpty()
        ? Optional.empty()
        : WorkspaceName.of(prefix.substring(1, prefix.length() - 1));
  }

  /// @param kind without the colon
  /// @param name what makes the record unique among those of the owner
  String key(String kind, String name) {
    return kind + ":" + prefix + name;
  }

  /// The prefix of the workspace that a session belongs to.
  String prefixOf(SessionId session) {
    return all ? session.workspace().map(RecordOwner::prefix).orElse("") : prefix;
  }

  /// @throws MemoryException `INVALID_FIELD` when the caller names none of several workspaces
  public void checkWritable() {
    if (all) {
      throw MemoryException.invalid(
          "memory-workspace",
          "is missing; workspaces share a store (multi_agent_mode = unified), so a call that writes"
              + " has to name one");
    }
  }
}
