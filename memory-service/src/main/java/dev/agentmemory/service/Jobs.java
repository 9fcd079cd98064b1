package dev.agentmemory.service;

import dev.agentmemory.pipeline.JobStatus;
import java.util.List;
import java.util.Map;

/// What the handlers ask the scheduler; see [dev.agentmemory.pipeline.Scheduler].
public interface Jobs {

  boolean running();

  /// By name.
  List<JobStatus> status();

  List<String> names();

  /// @return false when there is no such job
  boolean pause(String job);

  /// @return false when there is no such job
  boolean resume(String job);

  /// Runs a job and waits for it.
  ///
  /// @throws dev.agentmemory.types.MemoryException `NOT_FOUND` naming the jobs that exist
  Map<String, String> runNow(String job);
}
