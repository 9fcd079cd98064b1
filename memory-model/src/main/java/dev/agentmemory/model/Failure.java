package dev.agentmemory.model;

import dev.agentmemory.types.ModelCall.Outcome;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// Why a request brought no answer.
sealed interface Failure extends ModelResponse {

  /// The provider answered with an error.
  record Refused(int status, String body, Optional<String> retryAfter) implements Failure {

    /// OpenAI also answers 429 when the account has no credit left; a retry does not help.
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
  /// portal, or an error behind a status of success.
  record Garbled(Optional<String> retryAfter) implements Failure {}

  /// The answer was longer than any may be.
  record TooLarge() implements Failure {}

  /// Nothing came in time.
  record Silent() implements Failure {}

  /// There was no connection.
  record Unreachable() implements Failure {}

  /// The connection was lost.
  record Broken() implements Failure {}

  /// The thread was interrupted; it still is.
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

  /// Whether the same request may succeed a little later.
  default boolean isPassing() {
    return switch (this) {
      case Refused refused ->
          refused.status() >= 500 || (PASSING.contains(refused.status()) && !refused.isBroke());
      case Garbled _, TooLarge _, Silent _, Unreachable _, Broken _ -> true;
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
      case Garbled _, TooLarge _, Unreachable _, Broken _, Interrupted _ -> Outcome.FAILED;
    };
  }

  /// Whether the provider may have read the request, and so may bill it: one that was not answered
  /// in time, or whose answer cannot be used.
  default boolean isBillable() {
    return switch (this) {
      case Garbled _, TooLarge _, Silent _, Interrupted _ -> true;
      case Refused _, Unreachable _, Broken _ -> false;
    };
  }
}
