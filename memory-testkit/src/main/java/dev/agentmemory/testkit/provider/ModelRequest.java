package dev.agentmemory.testkit.provider;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// A request as the provider received it.
///
/// @param path of the URL, which identifies the API
/// @param headers names in lower case, the first value of each
public record ModelRequest(String path, Map<String, String> headers, String body) {

  public ModelRequest {
    headers = Map.copyOf(headers);
  }

  /// A header's value. The case of the name does not matter.
  public Optional<String> header(String name) {
    return Optional.ofNullable(headers.get(name.toLowerCase(Locale.ROOT)));
  }

  /// A value of the body by its JSON pointer, such as `/model`; empty when there is none. Texts
  /// come without quotes, everything else as JSON.
  public Optional<String> value(String pointer) {
    JsonNode node = Formats.read(body).at(pointer);
    return node.isMissingNode()
        ? Optional.empty()
        : Optional.of(node.isTextual() ? node.textValue() : node.toString());
  }

  /// The prompt: system text and messages, in order.
  public List<String> texts() {
    JsonNode root = Formats.read(body);
    var texts = new ArrayList<String>();
    addTexts(root.path("system"), texts);
    root.path("messages").forEach(message -> addTexts(message.path("content"), texts));
    return texts;
  }

  /// The texts of an embedding request, in order.
  public List<String> inputs() {
    var inputs = new ArrayList<String>();
    Formats.read(body).path("input").forEach(input -> inputs.add(input.textValue()));
    return inputs;
  }

  private static void addTexts(JsonNode content, List<String> texts) {
    if (content.isTextual()) {
      texts.add(content.textValue());
    }
    content.forEach(part -> addTexts(part.path("text"), texts));
  }
}
