package dev.agentmemory.pipeline;

import java.util.Map;
import java.util.Objects;

/// Something that the scheduler runs.
///
/// @param name unique; letters, digits and underscores
public record Job(String name, Schedule schedule, Body body) {

  public Job {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(schedule, "schedule");
    Objects.requireNonNull(body, "body");
  }

  /// What a job does. It looks at its thread's interrupt flag from time to time.
  public interface Body {

    /// @return what the run did, as shown to operators
    Map<String, String> run();
  }
}
