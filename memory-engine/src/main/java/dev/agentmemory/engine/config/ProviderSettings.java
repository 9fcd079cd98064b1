package dev.agentmemory.engine.config;

import dev.agentmemory.config.Setting;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Kinds of settings that every provider of a model has.
final class ProviderSettings {

  private static final Pattern MODEL = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:/@+-]{0,127}");
  private static final Pattern VARIABLE = Pattern.compile("[A-Z_][A-Z0-9_]{0,127}");

  private ProviderSettings() {}

  static Setting<Optional<String>> model(String key) {
    return Setting.optional(
        key,
        "a model's name, or none",
        text ->
            matching(
                MODEL,
                text,
                "expected the name of a model, up to 128 letters, digits and . _ : / @ + -"));
  }

  /// The default model of each provider that has one, for a description: `gpt (openai)`.
  static <P> String defaults(
      P[] providers, Function<P, String> word, Function<P, Optional<String>> defaultModel) {
    return Stream.of(providers)
        .flatMap(provider ->
            defaultModel.apply(provider).stream()
                .map(model -> model + " (" + word.apply(provider) + ")"))
        .collect(Collectors.joining(", "));
  }

  static Setting<Optional<String>> keyVariable(String key) {
    return Setting.optional(
        key,
        "a variable's name, or none",
        text ->
            matching(
                VARIABLE,
                text,
                "expected the name of an environment variable, such as OPENAI_API_KEY, not the"
                    + " key"));
  }

  private static String matching(Pattern form, String text, String problem) {
    if (!form.matcher(text).matches()) {
      throw new IllegalArgumentException(problem);
    }
    return text;
  }

  static Setting<Optional<URI>> address(String key) {
    return Setting.optional(key, "an http or https address, or none", ProviderSettings::webAddress);
  }

  private static URI webAddress(String text) {
    try {
      var address = new URI(text);
      boolean web = "https".equals(address.getScheme()) || "http".equals(address.getScheme());
      if (web && address.getHost() != null) {
        return address;
      }
    } catch (URISyntaxException e) {
      // Told below, without the text: it may hold a password.
    }
    throw new IllegalArgumentException("expected an address that starts with https:// or http://");
  }
}
