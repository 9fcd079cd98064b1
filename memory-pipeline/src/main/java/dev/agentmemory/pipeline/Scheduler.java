package dev.agentmemory.pipeline;

import java.util.List;
import java.util.Map;

/// Runs jobs.
public final class Scheduler {

  public boolean running() {
    return false;
  }

  public List<JobStatus> status() {
    return List.of();
  }

  public List<String> names() {
    return List.of();
  }

  public boolean pause(String job) {
    return false;
  }

  public boolean resume(String job) {
    return false;
  }

  public Map<String, String> runNow(String job) {
    return Map.of();
  }
}
