package dev.agentmemory.daemon;

import dev.agentmemory.pipeline.JobStatus;
import dev.agentmemory.service.JobDesk;
import java.util.List;
import java.util.Map;

/// The jobs of a store that workspaces share, as one of them sees them: that they run, but not what
/// they found, and out of its reach.
record SharedJobs(JobDesk inner) implements JobDesk {

  @Override
  public boolean running() {
    return inner.running();
  }

  @Override
  public List<JobStatus> status() {
    return inner.status().stream().map(JobStatus::withoutDetails).toList();
  }

  @Override
  public List<String> names() {
    return inner.names();
  }

  @Override
  public boolean pause(String job) {
    throw SharedServices.ofTheWhole();
  }

  @Override
  public boolean resume(String job) {
    throw SharedServices.ofTheWhole();
  }

  @Override
  public Map<String, String> runNow(String job) {
    throw SharedServices.ofTheWhole();
  }
}
