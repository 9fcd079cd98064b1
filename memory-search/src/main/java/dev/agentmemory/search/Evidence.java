package dev.agentmemory.search;

import dev.agentmemory.types.EventKey;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// What is known about a question, to be read by a model.
///
/// @param markdown the turns, oldest first, each with what to cite it by; empty when nothing was
///   found
/// @param tokens what it takes
/// @param events the turns in it, in its order
/// @param degraded as in [SearchAnswer]
/// @param nothingBecause why there is nothing; empty when there is something
public record Evidence(
    String markdown,
    int tokens,
    List<EventKey> events,
    Optional<String> degraded,
    Optional<String> nothingBecause) {

  public Evidence {
    Objects.requireNonNull(markdown, "markdown");
    events = List.copyOf(events);
    Objects.requireNonNull(degraded, "degraded");
    Objects.requireNonNull(nothingBecause, "nothingBecause");
  }
}
