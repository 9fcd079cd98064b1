package dev.agentmemory.daemon.command;

import dev.agentmemory.daemon.config.DaemonConfig;
import dev.agentmemory.daemon.config.WrittenSettings;

/// Runs a daemon in this process. The program passes it in, so that commands need not know what a
/// daemon is made of.
public interface Foreground {

  /// Starts a daemon and returns when it was stopped.
  void serve(DaemonConfig config, WrittenSettings settings) throws InterruptedException;
}
