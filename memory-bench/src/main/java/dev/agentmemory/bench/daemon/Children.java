package dev.agentmemory.bench.daemon;

import java.io.IOException;
import java.util.HashSet;
import java.util.Set;

/// The processes that a run has started. All of them are ended with the run, also after an
/// interrupt.
public final class Children {

  private static final Set<Process> ALIVE = new HashSet<>();
  private static boolean ended;

  private Children() {}

  /// @throws IllegalStateException after [#endAll]
  public static synchronized Process start(ProcessBuilder builder) throws IOException {
    if (ended) {
      throw new IllegalStateException("the run is ending; no process is started any more");
    }
    ALIVE.removeIf(process -> !process.isAlive());
    Process process = builder.start();
    ALIVE.add(process);
    return process;
  }

  /// Kills the running ones and waits for their ends. No process can be started afterwards.
  public static void endAll() {
    for (Process process : last()) {
      process.destroyForcibly();
      await(process);
    }
  }

  private static synchronized Set<Process> last() {
    ended = true;
    return Set.copyOf(ALIVE);
  }

  private static void await(Process process) {
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
