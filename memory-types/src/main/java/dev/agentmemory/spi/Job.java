package dev.agentmemory.spi;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// Something that the scheduler runs.
///
/// @param name unique; letters, digits and underscores
/// @param timeout how long a run may take; then it is interrupted and has failed. 1 ms and up
/// @param due when there is work for it that no event triggers: a time that is not after now while
///   some waits, a later one when time alone will bring some; empty when neither. A closed
///   workspace is opened for it
public record Job(
    String name, Schedule schedule, Duration timeout, Body body, Supplier<Optional<Instant>> due) {

  /// What a job may take that is told nothing else.
  public static final Duration DEFAULT_TIMEOUT = Duration.ofHours(1);

  public Job {
    if (timeout.toMillis() < 1) {
      throw new IllegalArgumentException("timeout is " + timeout + ", expected 1 ms and up");
    }
  }

  public Job(String name, Schedule schedule, Duration timeout, Body body) {
    this(name, schedule, timeout, body, Optional::empty);
  }

  public Job(String name, Schedule schedule, Body body) {
    this(name, schedule, DEFAULT_TIMEOUT, body);
  }

  /// What a run did that has left something for later on purpose says under this name why. The run
  /// has not failed; the reason is shown as its last error.
  public static final String WAITS_FOR = "waits_for";

  /// What a job does. It looks at its thread's interrupt flag from time to time.
  public interface Body {

    /// @return what the run did, as shown to operators
    Map<String, String> run();

    /// A run that a caller requested and waits for. It also does what a scheduled run would
    /// postpone, such as a retry of a server that was not reachable.
    ///
    /// @return what the run did
    default Map<String, String> runOnRequest() {
      return run();
    }
  }
}
