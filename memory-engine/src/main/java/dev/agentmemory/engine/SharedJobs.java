package dev.agentmemory.engine;

import dev.agentmemory.api.JobList;
import dev.agentmemory.api.JobStatus;
import dev.agentmemory.api.Jobs;
import java.util.Map;

/// The jobs of a store that workspaces share, as one of them sees them: that they run, but not what
/// they found, and out of its reach.
record SharedJobs(Jobs inner) implements Jobs {

  @Override
  public JobList list() {
    JobList all = inner.list();
    return new JobList(all.running(), all.jobs().stream().map(JobStatus::withoutDetails).toList());
  }

  @Override
  public void pause(String job) {
    throw SharedMemory.ofTheWhole();
  }

  @Override
  public void resume(String job) {
    throw SharedMemory.ofTheWhole();
  }

  @Override
  public Map<String, String> run(String job) {
    throw SharedMemory.ofTheWhole();
  }
}
