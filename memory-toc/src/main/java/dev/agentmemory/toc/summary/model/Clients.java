package dev.agentmemory.toc.summary.model;

import dev.langchain4j.http.client.jdk.JdkHttpClientBuilder;
import dev.langchain4j.model.anthropic.AnthropicChatModel;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ResponseFormat;
import dev.langchain4j.model.chat.request.ResponseFormatType;
import dev.langchain4j.model.chat.request.json.JsonArraySchema;
import dev.langchain4j.model.chat.request.json.JsonIntegerSchema;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.model.chat.request.json.JsonSchema;
import dev.langchain4j.model.chat.request.json.JsonStringSchema;
import dev.langchain4j.model.ollama.OllamaChatModel;
import dev.langchain4j.model.openai.OpenAiChatModel;
import java.net.URI;
import java.util.Map;
import java.util.Set;

/// Makes the clients of the three providers. They neither try again nor log by themselves.
final class Clients {

  private static final String ANTHROPIC_URL = "https://api.anthropic.com/v1";
  private static final String OLLAMA_URL = "http://localhost:11434";

  private Clients() {}

  static ChatModel make(ModelConfig config, BoundedHttpClient wire, Set<Option> options) {
    return switch (config.provider()) {
      case OPENAI -> openAi(config, wire, options);
      case ANTHROPIC -> anthropic(config, wire, options);
      case OLLAMA -> ollama(config, wire, options);
    };
  }

  private static ChatModel openAi(ModelConfig config, BoundedHttpClient wire, Set<Option> options) {
    var builder =
        OpenAiChatModel.builder()
            .httpClientBuilder(over(wire))
            .modelName(config.model())
            .timeout(config.timeout())
            .strictJsonSchema(true)
            .maxRetries(0);
    // OpenAI's newer models take only the new name of the limit, compatible servers know the old.
    if (config.baseUrl().isPresent()) {
      builder.baseUrl(config.baseUrl().get().toString()).maxTokens(config.maxOutputTokens());
    } else {
      builder.maxCompletionTokens(config.maxOutputTokens());
    }
    config.key().ifPresent(builder::apiKey);
    if (options.contains(Option.TEMPERATURE)) {
      builder.temperature(0.0);
    }
    if (options.contains(Option.SEED)) {
      config.seed().ifPresent(builder::seed);
    }
    if (options.contains(Option.SCHEMA)) {
      builder.responseFormat(schema());
    }
    return builder.build();
  }

  private static ChatModel anthropic(
      ModelConfig config, BoundedHttpClient wire, Set<Option> options) {
    var builder =
        AnthropicChatModel.builder()
            .httpClientBuilder(over(wire))
            .baseUrl(config.baseUrl().map(URI::toString).orElse(ANTHROPIC_URL))
            .modelName(config.model())
            .timeout(config.timeout())
            .maxTokens(config.maxOutputTokens())
            .maxRetries(0);
    config.key().ifPresent(builder::apiKey);
    if (options.contains(Option.TEMPERATURE)) {
      builder.temperature(0.0);
    }
    if (options.contains(Option.NO_THINKING)) {
      builder.thinkingType("disabled");
    }
    if (options.contains(Option.SCHEMA)) {
      builder.responseFormat(schema());
    }
    return builder.build();
  }

  private static ChatModel ollama(ModelConfig config, BoundedHttpClient wire, Set<Option> options) {
    // Unless told, Ollama cuts the prompt to a small window without a word.
    var builder =
        OllamaChatModel.builder()
            .httpClientBuilder(over(wire))
            .baseUrl(config.baseUrl().map(URI::toString).orElse(OLLAMA_URL))
            .modelName(config.model())
            .timeout(config.timeout())
            .numPredict(config.maxOutputTokens())
            .numCtx(config.contextTokens())
            .maxRetries(0);
    config.key().ifPresent(key -> builder.customHeaders(Map.of("Authorization", "Bearer " + key)));
    if (options.contains(Option.TEMPERATURE)) {
      builder.temperature(0.0);
    }
    if (options.contains(Option.SEED)) {
      config.seed().ifPresent(builder::seed);
    }
    if (options.contains(Option.SCHEMA)) {
      builder.responseFormat(schema());
    }
    return builder.build();
  }

  private static JdkHttpClientBuilder over(BoundedHttpClient wire) {
    return new JdkHttpClientBuilder().httpClientBuilder(new PreparedHttpClient(wire));
  }

  private static ResponseFormat schema() {
    var bullet =
        JsonObjectSchema.builder()
            .addStringProperty("text")
            .addProperty("events", JsonArraySchema.builder().items(new JsonIntegerSchema()).build())
            .addStringProperty("quote")
            .required("text", "events", "quote")
            .additionalProperties(false)
            .build();
    var root =
        JsonObjectSchema.builder()
            .addStringProperty("title")
            .addStringProperty("summary")
            .addProperty("bullets", JsonArraySchema.builder().items(bullet).build())
            .addProperty(
                "keywords", JsonArraySchema.builder().items(new JsonStringSchema()).build())
            .required("title", "summary", "bullets", "keywords")
            .additionalProperties(false)
            .build();
    return ResponseFormat.builder()
        .type(ResponseFormatType.JSON)
        .jsonSchema(JsonSchema.builder().name("summary").rootElement(root).build())
        .build();
  }
}
