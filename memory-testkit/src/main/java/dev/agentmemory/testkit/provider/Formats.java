package dev.agentmemory.testkit.provider;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;

/// Responses in the formats of the three APIs.
enum Formats {
  /// `POST /v1/chat/completions`
  OPENAI {
    @Override
    String answer(String model, String text, boolean cut, long input, long output) {
      ObjectNode root = JSON.createObjectNode();
      root.put("id", "chatcmpl-stub").put("object", "chat.completion").put("created", 1760000000);
      root.put("model", model);
      ObjectNode choice = root.putArray("choices").addObject().put("index", 0);
      choice.putObject("message").put("role", "assistant").put("content", text);
      choice.put("finish_reason", cut ? "length" : "stop");
      root.putObject("usage")
          .put("prompt_tokens", input)
          .put("completion_tokens", output)
          .put("total_tokens", input + output);
      return root.toString();
    }
  },
  /// `POST /v1/messages`
  ANTHROPIC {
    @Override
    String answer(String model, String text, boolean cut, long input, long output) {
      ObjectNode root = JSON.createObjectNode();
      root.put("id", "msg_stub").put("type", "message").put("role", "assistant");
      root.put("model", model);
      root.putArray("content").addObject().put("type", "text").put("text", text);
      root.put("stop_reason", cut ? "max_tokens" : "end_turn").putNull("stop_sequence");
      root.putObject("usage").put("input_tokens", input).put("output_tokens", output);
      return root.toString();
    }
  },
  /// `POST /api/chat`
  OLLAMA {
    @Override
    String answer(String model, String text, boolean cut, long input, long output) {
      ObjectNode root = JSON.createObjectNode();
      root.put("model", model).put("created_at", "2026-01-30T14:30:00.000000Z");
      root.putObject("message").put("role", "assistant").put("content", text);
      root.put("done_reason", cut ? "length" : "stop").put("done", true);
      root.put("total_duration", 1_000_000).put("load_duration", 1000);
      root.put("prompt_eval_count", input).put("prompt_eval_duration", 1000);
      root.put("eval_count", output).put("eval_duration", 1000);
      return root.toString();
    }
  };

  private static final ObjectMapper JSON = new ObjectMapper();

  abstract String answer(String model, String text, boolean cut, long input, long output);

  static Formats of(String path) {
    return switch (path.toLowerCase(Locale.ROOT)) {
      case "/v1/messages" -> ANTHROPIC;
      case "/api/chat" -> OLLAMA;
      default -> OPENAI;
    };
  }

  static JsonNode read(String json) {
    try {
      return JSON.readTree(json);
    } catch (JsonProcessingException e) {
      throw new AssertionError("the request's body is no JSON: " + json, e);
    }
  }

  static ObjectNode object() {
    return JSON.createObjectNode();
  }

  static String error(String message) {
    ObjectNode root = object().put("type", "error");
    root.putObject("error").put("type", "stub_error").put("message", message);
    return root.toString();
  }
}
