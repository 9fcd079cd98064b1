package dev.agentmemory.model;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// The model could not be asked. The message says to an operator what happened and what to do; it
/// holds no key. There is never a cause: what clients throw may quote headers and transcripts.
public final class ModelException extends RuntimeException {

  /// What to do next.
  public enum Kind {
    /// A retry is useless until the configuration changes: key, model or address.
    REFUSED,
    /// The provider is away, overloaded or silent; ask again later.
    UNAVAILABLE,
    /// This request was refused for what is in it, such as text that a filter does not let through;
    /// others may be answered. Asking the same again is pointless.
    UNANSWERABLE,
    /// There are not enough tokens left for asking once more. What was asked is lost.
    UNAFFORDABLE,
    /// The thread was interrupted; it still is.
    INTERRUPTED
  }

  private final Kind kind;
  private final transient Optional<Duration> retryAfter;
  private final transient List<Attempted> calls;

  ModelException(Kind kind, String message, Optional<Duration> retryAfter, List<Attempted> calls) {
    super(message);
    this.kind = kind;
    this.retryAfter = retryAfter;
    this.calls = List.copyOf(calls);
  }

  public Kind kind() {
    return kind;
  }

  /// How long the provider asks to be left alone; empty when it did not say.
  public Optional<Duration> retryAfter() {
    return retryAfter;
  }

  /// The requests that went out before it was given up, in order.
  public List<Attempted> calls() {
    return calls;
  }
}
