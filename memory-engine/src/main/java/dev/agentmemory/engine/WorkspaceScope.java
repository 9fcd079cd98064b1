package dev.agentmemory.engine;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The workspace on whose store this thread works, for the log. Threads that are started within a
/// scope keep it, so background threads of a store need not know its name. A pool that serves
/// several stores must not inherit it.
public final class WorkspaceScope implements AutoCloseable {

  private static final InheritableThreadLocal<@Nullable String> NAME =
      new InheritableThreadLocal<>();

  private final @Nullable String before;

  private WorkspaceScope(@Nullable String before) {
    this.before = before;
  }

  /// Enters the scope; `close`, on the same thread, leaves it.
  public static WorkspaceScope of(String workspace) {
    var scope = new WorkspaceScope(NAME.get());
    NAME.set(workspace);
    return scope;
  }

  /// The name of the scope that this thread is in.
  public static Optional<String> current() {
    return Optional.ofNullable(NAME.get());
  }

  @Override
  public void close() {
    if (before == null) {
      NAME.remove();
    } else {
      NAME.set(before);
    }
  }
}
