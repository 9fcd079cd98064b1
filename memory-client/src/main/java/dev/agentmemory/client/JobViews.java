package dev.agentmemory.client;

import java.util.List;

/// The daemon's jobs.
///
/// @param running whether the scheduler itself runs
public record JobViews(boolean running, List<JobView> jobs) {

  public JobViews {
    jobs = List.copyOf(jobs);
  }
}
