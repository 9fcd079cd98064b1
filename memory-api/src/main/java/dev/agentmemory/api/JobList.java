package dev.agentmemory.api;

import java.util.List;

/// The daemon's jobs.
///
/// @param running whether the scheduler itself runs
public record JobList(boolean running, List<JobStatus> jobs) {

  public JobList {
    jobs = List.copyOf(jobs);
  }
}
