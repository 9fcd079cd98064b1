package dev.agentmemory.api;

import java.util.Map;

/// Shows and controls background jobs. Methods that take a name fail with `NOT_FOUND` naming the
/// jobs that exist.
public interface Jobs {

  /// All jobs by name, and whether the scheduler runs.
  JobList list();

  /// Keeps a job from running until it is resumed.
  void pause(String job);

  /// Lets a paused job run again.
  void resume(String job);

  /// Runs a job now and waits for it.
  ///
  /// @return what the run did
  Map<String, String> run(String job);
}
