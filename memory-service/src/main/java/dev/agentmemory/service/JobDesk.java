package dev.agentmemory.service;

import dev.agentmemory.pipeline.JobStatus;
import dev.agentmemory.pipeline.Scheduler;
import java.util.List;
import java.util.Map;

/// What callers may see of the jobs and do with them. It is an interface because whoever sees only
/// a part of a store must not stop what works on all of it.
public interface JobDesk {

  /// All of it, as a daemon has it.
  static JobDesk of(Scheduler scheduler) {
    return new JobDesk() {
      @Override
      public boolean running() {
        return scheduler.running();
      }

      @Override
      public List<JobStatus> status() {
        return scheduler.status();
      }

      @Override
      public List<String> names() {
        return scheduler.names();
      }

      @Override
      public boolean pause(String job) {
        return scheduler.pause(job);
      }

      @Override
      public boolean resume(String job) {
        return scheduler.resume(job);
      }

      @Override
      public Map<String, String> runNow(String job) {
        return scheduler.runNow(job);
      }
    };
  }

  /// Whether jobs are run at all.
  boolean running();

  /// By name.
  List<JobStatus> status();

  /// In order.
  List<String> names();

  /// @return false when there is no such job
  boolean pause(String job);

  /// @return false when there is no such job
  boolean resume(String job);

  /// Runs a job and waits for it.
  ///
  /// @return what it did
  /// @throws dev.agentmemory.types.MemoryException `NOT_FOUND` when there is no such job
  Map<String, String> runNow(String job);
}
