package dev.agentmemory.api;

import java.util.Objects;
import java.util.Optional;

/// The daemon's answer to one event of a stream.
///
/// @param position of the event in the stream, from 0
/// @param error what is wrong and what would be right; empty when stored
/// @param field path of the refused field; empty when stored
public record StreamAck(
    long position, Outcome outcome, Optional<String> error, Optional<String> field) {

  public StreamAck {
    Objects.requireNonNull(outcome, "outcome");
    Objects.requireNonNull(error, "error");
    Objects.requireNonNull(field, "field");
  }

  /// What became of the event.
  public enum Outcome {
    /// On disk, by this stream.
    CREATED,
    /// On disk, it was known with the same content.
    ALREADY_KNOWN,
    /// Refused: the id is known with other content.
    CONFLICT,
    /// Refused: a field has no usable value.
    INVALID
  }

  /// Whether the event is on disk now.
  public boolean stored() {
    return outcome == Outcome.CREATED || outcome == Outcome.ALREADY_KNOWN;
  }
}
