package dev.agentmemory.agents;

import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Predicate;

/// Tells when nothing of an agent was recorded. A call of a tool spans a time, so one that was made
/// then can return when it is recorded again; what it was called with is left out.
public interface UnrecordedTimes {

  /// Everything was recorded.
  UnrecordedTimes NONE = (_, _) -> _ -> false;

  /// The times of one project.
  ///
  /// @param directory that the agent names
  Predicate<Instant> of(Agent agent, Optional<Path> directory);
}
