package dev.agentmemory.spi;

import dev.agentmemory.types.MemoryException;
import java.time.Duration;
import java.util.Map;

/// The scheduler, for the modules whose jobs it runs.
public interface JobControl {

  /// Says that there may be work for a job. Does nothing when there is no such job.
  void trigger(String job);

  /// Puts a job's next run off, or brings it forward. Does nothing when there is no such job.
  void plan(String job, Duration fromNow);

  /// Whether a job is there and paused.
  boolean isPaused(String job);

  /// Runs a job and waits for it.
  ///
  /// @return what the run did
  /// @throws MemoryException the code of what the run failed of
  Map<String, String> run(String job);
}
