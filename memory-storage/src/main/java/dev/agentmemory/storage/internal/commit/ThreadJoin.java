package dev.agentmemory.storage.internal.commit;

/// Waiting for threads to end.
final class ThreadJoin {

  private ThreadJoin() {}

  /// Waits until a thread has ended. An interrupt is restored afterwards.
  static void join(Thread thread) {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
