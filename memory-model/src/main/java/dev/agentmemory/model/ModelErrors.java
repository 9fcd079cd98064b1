package dev.agentmemory.model;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// Says to an operator what a provider complains of and what to do about it.
///
/// @param excerpt makes of a provider's words what a message may quote
record ModelErrors(ModelEndpoint endpoint, UnaryOperator<String> excerpt) {

  /// Longest piece of the key that may stand in a message by chance.
  private static final int PIECE = 6;

  String refused(Failure.Refused refused) {
    String said = " (" + refused.status() + excerpt(refused.body()) + ")";
    return switch (refused.status()) {
      // What is said of a refused key may hold the key.
      case 401 ->
          endpoint.shown()
              + " refused the key (401); put a valid one into the variable that"
              + " summarizer.api_key_env names";
      case 402 -> endpoint.shown() + " requires payment" + said;
      case 403 ->
          endpoint.shown()
              + " rejected this key"
              + said
              + "; check the variable that summarizer.api_key_env names, and that the account may"
              + " use summarizer.model";
      case 404 -> endpoint.shown() + " was not found" + said + "; " + missing();
      default ->
          endpoint.shown()
              + " refused the request"
              + said
              + "; check summarizer.model, summarizer.api_base_url and summarizer.context_tokens";
    };
  }

  private String missing() {
    return endpoint.provider() == Provider.OLLAMA
        ? "check summarizer.model, or fetch it with 'ollama pull'"
        : "check summarizer.model and summarizer.api_base_url";
  }

  String unavailable(Failure failure, int attempts) {
    String tries = attempts == 1 ? "" : " after " + attempts + " attempts";
    return switch (failure) {
      case Failure.Refused refused when refused.isBroke() ->
          endpoint.shown() + " reports that the account's quota is used up (429)";
      case Failure.Refused refused ->
          endpoint.shown() + " answered " + refused.status() + tries + excerpt(refused.body());
      case Failure.Silent _ ->
          endpoint.shown()
              + " did not respond within "
              + endpoint.timeout().toMillis()
              + " ms"
              + tries
              + "; summarizer.timeout sets the limit";
      case Failure.Unreachable _, Failure.Broken _ ->
          endpoint.shown() + " could not be reached" + tries;
      case Failure.Garbled _, Failure.TooLarge _ ->
          endpoint.shown()
              + " returned a response that is not in the API's format"
              + tries
              + "; check summarizer.api_base_url and any proxy";
      case Failure.Interrupted _ -> interrupted();
    };
  }

  String unanswerable(Failure.Refused refused) {
    return endpoint.shown()
        + " refused this request ("
        + refused.status()
        + excerpt(refused.body())
        + ")";
  }

  /// @param tokens that the question may take with one more request
  String unaffordable(long tokens) {
    return endpoint.shown()
        + " was not asked again: another request may take "
        + tokens
        + " tokens, more than are left (summarizer.daily_token_budget)";
  }

  String interrupted() {
    return endpoint.shown() + " was interrupted";
  }

  /// A short line of what the provider said.
  private String excerpt(String body) {
    String line = message(body).replaceAll("[\\s\\p{C}]+", " ").strip();
    String said = excerpt.apply(withoutKey(line));
    return said.isEmpty() ? "" : ": " + said;
  }

  private static String message(String body) {
    try {
      JsonNode root = BoundedHttpClient.JSON.readTree(body);
      for (String at : List.of("/error/message", "/error", "/message", "/detail")) {
        JsonNode node = root.at(at);
        if (node.isTextual()) {
          return node.textValue();
        }
      }
    } catch (JacksonException e) {
      // It is text then.
      return body;
    }
    return body;
  }

  /// Without the key and every longer piece of it, since providers repeat keys in part.
  private String withoutKey(String line) {
    Optional<String> key = endpoint.key();
    if (key.isEmpty()) {
      return line;
    }
    var kept = new StringBuilder();
    int at = 0;
    while (at < line.length()) {
      int same = 0;
      while (at + same < line.length() && key.get().contains(line.substring(at, at + same + 1))) {
        same++;
      }
      if (same > PIECE) {
        kept.append("[key]");
        at += same;
      } else {
        kept.append(line.charAt(at));
        at++;
      }
    }
    return kept.toString();
  }
}
