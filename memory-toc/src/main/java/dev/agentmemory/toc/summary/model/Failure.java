package dev.agentmemory.toc.summary.model;

import com.fasterxml.jackson.core.JacksonException;
import dev.agentmemory.types.ModelCall.Outcome;
import dev.langchain4j.exception.HttpException;
import java.io.IOException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// Why a request brought no answer.
sealed interface Failure {

  /// The provider answered with an error.
  record Refused(int status, String body) implements Failure {

    /// OpenAI says 429 too when the account's money is spent, which no waiting mends.
    boolean isBroke() {
      return status == 429 && body.contains("insufficient_quota");
    }

    /// Whether it is about what was sent this time and not about how it is asked: another request
    /// may be served.
    boolean isAboutThisRequest() {
      return switch (status) {
        case 413 -> true;
        case 400, 422 -> isAboutText() || !has(SETTINGS);
        default -> false;
      };
    }

    /// Whether it says that the text is too long, or may not be spoken of.
    boolean isAboutText() {
      return (status == 400 || status == 413 || status == 422) && has(TEXT);
    }

    private boolean has(List<String> words) {
      String lower = body.toLowerCase(Locale.ROOT);
      return words.stream().anyMatch(lower::contains);
    }
  }

  /// Something answered, and there is nothing in it that a model said: the page of a captive
  /// portal, an error behind a status of success, more than any answer may have.
  record Garbled() implements Failure {}

  /// Nothing came in time.
  record Silent() implements Failure {}

  /// There was no connection, or it broke.
  record Unreachable() implements Failure {}

  /// The thread was interrupted.
  record Interrupted() implements Failure {}

  Set<Integer> PASSING = Set.of(408, 409, 425, 429);

  /// How a refusal names the text that it is about; some of these name the model, too.
  List<String> TEXT =
      List.of(
          "context length",
          "context_length",
          "context window",
          "context size",
          "too long",
          "too many tokens",
          "content filter",
          "content_filter",
          "content management",
          "content policy",
          "moderation",
          "safety",
          "flagged");

  /// How a refusal names what only an operator can change.
  List<String> SETTINGS =
      List.of(
          "model",
          "api key",
          "api_key",
          "api-key",
          "apikey",
          "authentication",
          "credit",
          "billing",
          "account",
          "max_tokens",
          "max_completion_tokens",
          "num_ctx",
          "temperature",
          "seed",
          "thinking");

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
    // A client that stumbles over what came: no choices, no content.
    return new Garbled();
  }

  /// Whether the same request may succeed a little later.
  default boolean isPassing() {
    return switch (this) {
      case Refused refused ->
          refused.status() >= 500 || (PASSING.contains(refused.status()) && !refused.isBroke());
      case Garbled _, Silent _, Unreachable _ -> true;
      case Interrupted _ -> false;
    };
  }

  default Outcome outcome() {
    return switch (this) {
      case Refused refused ->
          refused.status() >= 500 || PASSING.contains(refused.status())
              ? Outcome.FAILED
              : Outcome.REFUSED;
      case Silent _ -> Outcome.TIMEOUT;
      case Garbled _, Unreachable _, Interrupted _ -> Outcome.FAILED;
    };
  }
}
