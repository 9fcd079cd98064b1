package dev.agentmemory.toc.summary.model;

import com.fasterxml.jackson.core.JacksonException;
import dev.agentmemory.types.ModelCall.Outcome;
import dev.langchain4j.exception.HttpException;
import java.io.IOException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.util.Set;

/// Why a request brought no answer.
sealed interface Failure {

  /// The provider answered with an error.
  record Refused(int status, String body) implements Failure {

    /// OpenAI says 429 too when the account's money is spent, which no waiting mends.
    boolean isBroke() {
      return status == 429 && body.contains("insufficient_quota");
    }
  }

  /// The provider answered, and nobody can make sense of it.
  record Garbled() implements Failure {}

  /// Nothing came in time.
  record Silent() implements Failure {}

  /// There was no connection, or it broke.
  record Unreachable() implements Failure {}

  /// The thread was interrupted.
  record Interrupted() implements Failure {}

  Set<Integer> PASSING = Set.of(408, 409, 425, 429);

  static Failure of(RuntimeException thrown) {
    if (Thread.currentThread().isInterrupted()) {
      return new Interrupted();
    }
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      switch (cause) {
        case HttpException http -> {
          String body = http.getMessage();
          return new Refused(http.statusCode(), body == null ? "" : body);
        }
        case HttpTimeoutException _, dev.langchain4j.exception.TimeoutException _ -> {
          return new Silent();
        }
        case JacksonException _ -> {
          return new Garbled();
        }
        case IOException io -> {
          boolean tooLong = String.valueOf(io.getMessage()).contains("exceeds capacity");
          return tooLong ? new Garbled() : new Unreachable();
        }
        case UnresolvedAddressException _ -> {
          return new Unreachable();
        }
        default -> {}
      }
    }
    // A client that stumbles over the answer: no choices, no content.
    return new Garbled();
  }

  /// Whether the same request may succeed a little later.
  default boolean isPassing() {
    return switch (this) {
      case Refused refused ->
          refused.status() >= 500 || (PASSING.contains(refused.status()) && !refused.isBroke());
      case Silent _, Unreachable _ -> true;
      case Garbled _, Interrupted _ -> false;
    };
  }

  default Outcome outcome() {
    return switch (this) {
      case Refused refused ->
          refused.status() >= 500 || PASSING.contains(refused.status())
              ? Outcome.FAILED
              : Outcome.REFUSED;
      case Garbled _ -> Outcome.MALFORMED;
      case Silent _ -> Outcome.TIMEOUT;
      case Unreachable _, Interrupted _ -> Outcome.FAILED;
    };
  }
}
