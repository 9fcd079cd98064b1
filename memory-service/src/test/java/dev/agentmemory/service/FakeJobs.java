package dev.agentmemory.service;

import dev.agentmemory.pipeline.JobStatus;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// One job, `toc_rollup_day`.
final class FakeJobs implements Jobs {

  static final String NAME = "toc_rollup_day";

  private volatile boolean paused;

  @Override
  public boolean running() {
    return true;
  }

  @Override
  public List<JobStatus> status() {
    return List.of(
        new JobStatus(
            NAME,
            "when dirty",
            Optional.of(Instant.ofEpochMilli(5)),
            Duration.ofMillis(7),
            JobStatus.Outcome.FAILED,
            Optional.of("disk full"),
            Optional.empty(),
            3,
            1,
            false,
            paused,
            Map.of("nodes", "2")));
  }

  @Override
  public List<String> names() {
    return List.of(NAME);
  }

  @Override
  public boolean pause(String job) {
    paused |= job.equals(NAME);
    return job.equals(NAME);
  }

  @Override
  public boolean resume(String job) {
    paused &= !job.equals(NAME);
    return job.equals(NAME);
  }

  @Override
  public Map<String, String> runNow(String job) {
    if (!job.equals(NAME)) {
      throw new MemoryException(
          ErrorCode.NOT_FOUND, "there is no job " + job + "; there is " + NAME);
    }
    return Map.of("nodes", "4");
  }
}
