package dev.agentmemory.model;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Optional;
import java.util.Set;

/// Requests and answers of the three chat APIs, as JSON.
final class ChatFormat {

  private static final Set<String> REASONS_OF_A_CUT = Set.of("length", "max_tokens");

  private static final String CLOSED = "additionalProperties";

  private final ModelConfig config;
  private final JsonNode schema;

  /// @param schema of answers, as JSON Schema
  /// @throws IllegalArgumentException when the schema is not JSON
  ChatFormat(ModelConfig config, String schema) {
    this.config = config;
    try {
      this.schema = BoundedHttpClient.JSON.readTree(schema);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("the schema is not JSON", e);
    }
  }

  /// What a model said.
  ///
  /// @param cut whether it stopped at the limit of tokens
  /// @param inputTokens 0 when the provider did not say
  /// @param outputTokens 0 when the provider did not say
  record Completion(String text, boolean cut, long inputTokens, long outputTokens) {}

  /// Below the base URL.
  String path() {
    return switch (config.endpoint().provider()) {
      case OPENAI -> "chat/completions";
      case ANTHROPIC -> "messages";
      case OLLAMA -> "api/chat";
    };
  }

  ObjectNode request(Prompt prompt, Set<Option> options) {
    ObjectNode body = BoundedHttpClient.JSON.createObjectNode();
    body.put("model", config.endpoint().model()).put("stream", false);
    switch (config.endpoint().provider()) {
      case OPENAI -> openAi(body, prompt, options);
      case ANTHROPIC -> anthropic(body, prompt, options);
      case OLLAMA -> ollama(body, prompt, options);
    }
    return body;
  }

  private void openAi(ObjectNode body, Prompt prompt, Set<Option> options) {
    messages(body, prompt);
    // OpenAI's newer models take only the new name of the limit, compatible servers know the old.
    boolean compatible = config.endpoint().baseUrl().isPresent();
    body.put(compatible ? "max_tokens" : "max_completion_tokens", config.maxOutputTokens());
    sampling(body, options);
    if (options.contains(Option.SCHEMA)) {
      ObjectNode format = body.putObject("response_format").put("type", "json_schema");
      format
          .putObject("json_schema")
          .put("name", "summary")
          .put("strict", true)
          .set("schema", schema);
    }
  }

  private void anthropic(ObjectNode body, Prompt prompt, Set<Option> options) {
    text(body.putArray("system").addObject(), prompt.system());
    ObjectNode message = body.putArray("messages").addObject().put("role", "user");
    text(message.putArray("content").addObject(), prompt.user());
    body.put("max_tokens", config.maxOutputTokens());
    if (options.contains(Option.TEMPERATURE)) {
      body.put("temperature", 0.0);
    }
    if (options.contains(Option.NO_THINKING)) {
      body.putObject("thinking").put("type", "disabled");
    }
    if (options.contains(Option.SCHEMA)) {
      ObjectNode format = body.putObject("output_config").putObject("format");
      format.put("type", "json_schema").set("schema", schema);
    }
  }

  private void ollama(ObjectNode body, Prompt prompt, Set<Option> options) {
    messages(body, prompt);
    body.putArray("tools");
    // Unless told, Ollama cuts the prompt to a small window without a word.
    ObjectNode settings =
        body.putObject("options")
            .put("num_predict", config.maxOutputTokens())
            .put("num_ctx", config.contextTokens());
    // Replaces the stop texts of the model's own settings.
    settings.putArray("stop");
    sampling(settings, options);
    if (options.contains(Option.SCHEMA)) {
      // Ollama generates only what the schema names, so it needs no such rule.
      JsonNode format = schema.deepCopy();
      for (JsonNode object : format.findParents(CLOSED)) {
        ((ObjectNode) object).remove(CLOSED);
      }
      body.set("format", format);
    }
  }

  private static void messages(ObjectNode body, Prompt prompt) {
    var messages = body.putArray("messages");
    messages.addObject().put("role", "system").put("content", prompt.system());
    messages.addObject().put("role", "user").put("content", prompt.user());
  }

  private static void text(ObjectNode block, String text) {
    block.put("type", "text").put("text", text);
  }

  private void sampling(ObjectNode body, Set<Option> options) {
    if (options.contains(Option.TEMPERATURE)) {
      body.put("temperature", 0.0);
    }
    if (options.contains(Option.SEED)) {
      config.seed().ifPresent(seed -> body.put("seed", seed));
    }
  }

  /// @return empty when there is nothing in it that a model said
  Optional<Completion> completion(JsonNode answer) {
    return switch (config.endpoint().provider()) {
      case OPENAI ->
          completion(
              answer,
              message(answer.at("/choices/0/message")),
              "/choices/0/finish_reason",
              "/usage/prompt_tokens",
              "/usage/completion_tokens");
      case ANTHROPIC ->
          completion(
              answer,
              blocks(answer.path("content")),
              "/stop_reason",
              "/usage/input_tokens",
              "/usage/output_tokens");
      case OLLAMA ->
          completion(
              answer,
              message(answer.path("message")),
              "/done_reason",
              "/prompt_eval_count",
              "/eval_count");
    };
  }

  private static Optional<Completion> completion(
      JsonNode answer, Optional<String> text, String reason, String input, String output) {
    return text.map(said ->
        new Completion(
            said,
            REASONS_OF_A_CUT.contains(answer.at(reason).asText()),
            Math.max(0, answer.at(input).asLong()),
            Math.max(0, answer.at(output).asLong())));
  }

  /// The content of a message; empty when it is none, or says that the model refuses to answer.
  private static Optional<String> message(JsonNode message) {
    JsonNode content = message.path("content");
    boolean answers =
        message.isObject()
            && !content.isContainerNode()
            && message.path("refusal").asText("").isBlank();
    return answers ? Optional.of(content.asText("")) : Optional.empty();
  }

  private static Optional<String> blocks(JsonNode content) {
    var texts = new ArrayList<String>();
    for (JsonNode block : content) {
      if (block.path("type").asText().equals("text")) {
        texts.add(block.path("text").asText(""));
      }
    }
    return content.isArray() ? Optional.of(String.join("\n", texts)) : Optional.empty();
  }
}
