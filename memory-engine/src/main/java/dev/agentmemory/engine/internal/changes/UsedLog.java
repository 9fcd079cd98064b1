package dev.agentmemory.engine.internal.changes;

import dev.agentmemory.api.changes.ChangeReader;
import dev.agentmemory.api.changes.WorkspaceChanges;
import java.util.concurrent.atomic.AtomicBoolean;

/// A change log for as long as it is used.
public final class UsedLog implements ChangeReader {

  private final ChangeLog log;
  private final Runnable onClose;
  private final AtomicBoolean closed = new AtomicBoolean();

  /// @param onClose is run once
  UsedLog(ChangeLog log, Runnable onClose) {
    this.log = log;
    this.onClose = onClose;
  }

  ChangeLog log() {
    return log;
  }

  @Override
  public String position() {
    return log.position();
  }

  @Override
  public WorkspaceChanges after(String position) {
    return log.after(position);
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      onClose.run();
    }
  }
}
