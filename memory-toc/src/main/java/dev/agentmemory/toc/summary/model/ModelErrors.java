package dev.agentmemory.toc.summary.model;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.agentmemory.text.Graphemes;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// Says to an operator what a provider complains of and what to do about it.
///
/// @param mask hides what looks like a secret
record ModelErrors(ModelConfig config, UnaryOperator<String> mask) {

  private static final int EXCERPT = 160;

  /// Longest piece of the key that may stand in a message by chance.
  private static final int PIECE = 6;

  private static final ObjectMapper JSON = new ObjectMapper();

  String refused(Failure.Refused refused) {
    String said = " (" + refused.status() + excerpt(refused.body()) + ")";
    return switch (refused.status()) {
      // What is said of a refused key may hold the key.
      case 401 ->
          who()
              + " refused the key (401); put a valid one into the variable that"
              + " summarizer.api_key_env names";
      case 402 -> who() + " requires payment" + said;
      case 403 ->
          who()
              + " rejected this key"
              + said
              + "; check the variable that summarizer.api_key_env names, and that the account may"
              + " use summarizer.model";
      case 404 -> who() + " was not found" + said + "; " + missing();
      default ->
          who()
              + " refused the request"
              + said
              + "; check summarizer.model, summarizer.api_base_url and summarizer.context_tokens";
    };
  }

  private String missing() {
    return config.provider() == Provider.OLLAMA
        ? "check summarizer.model, or fetch it with 'ollama pull'"
        : "check summarizer.model and summarizer.api_base_url";
  }

  String unavailable(Failure failure, int attempts) {
    String tries = attempts == 1 ? "" : " after " + attempts + " attempts";
    return switch (failure) {
      case Failure.Refused refused when refused.isBroke() ->
          who() + " reports that the account's quota is used up (429)";
      case Failure.Refused refused ->
          who() + " answered " + refused.status() + tries + excerpt(refused.body());
      case Failure.Silent _ ->
          who()
              + " did not respond within "
              + config.timeout().toMillis()
              + " ms"
              + tries
              + "; summarizer.timeout sets the limit";
      case Failure.Unreachable _ -> who() + " could not be reached" + tries;
      case Failure.Garbled _ ->
          who()
              + " returned a response that is not in the API's format"
              + tries
              + "; check summarizer.api_base_url and any proxy";
      case Failure.Interrupted _ -> interrupted();
    };
  }

  String unanswerable(Failure.Refused refused) {
    return who() + " refused this request (" + refused.status() + excerpt(refused.body()) + ")";
  }

  /// @param tokens that the question may take with one more request
  String unaffordable(long tokens) {
    return who()
        + " was not asked again: another request may take "
        + tokens
        + " tokens, more than are left (summarizer.daily_token_budget)";
  }

  String interrupted() {
    return who() + " was interrupted";
  }

  private String who() {
    return config.name()
        + config.baseUrl().map(url -> " at " + BoundedHttpClient.shown(url)).orElse("");
  }

  /// A short line of what the provider said.
  private String excerpt(String body) {
    String line = message(body).replaceAll("[\\s\\p{C}]+", " ").strip();
    String said = Graphemes.shorten(mask.apply(withoutKey(line)), EXCERPT);
    return said.isEmpty() ? "" : ": " + said;
  }

  private static String message(String body) {
    try {
      JsonNode root = JSON.readTree(body);
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
    Optional<String> key = config.key();
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
