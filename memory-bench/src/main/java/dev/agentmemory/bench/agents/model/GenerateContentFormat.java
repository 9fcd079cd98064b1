package dev.agentmemory.bench.agents.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/// The API `generateContent`, which Gemini CLI calls.
final class GenerateContentFormat implements ModelFormat {

  private final boolean stream;

  GenerateContentFormat(boolean stream) {
    this.stream = stream;
  }

  @Override
  public ModelConversation read(JsonNode request) {
    var conversation = new ModelConversation(!request.path("tools").isEmpty());
    for (JsonNode content : request.path("contents")) {
      if (content.path("role").asText().equals("user")) {
        conversation.user(ModelFormat.text(content.path("parts")));
      }
      content
          .path("parts")
          .forEach(part -> {
            if (part.has("functionCall")) {
              conversation.call();
            }
          });
    }
    return conversation;
  }

  @Override
  public String write(JsonNode request, ModelReply reply, String id) {
    ObjectNode answer = JSON.createObjectNode().put("modelVersion", "stand-in");
    answer.put("responseId", id);
    ObjectNode candidate = answer.putArray("candidates").addObject();
    candidate.put("finishReason", "STOP").put("index", 0);
    ObjectNode content = candidate.putObject("content").put("role", "model");
    parts(request, reply, content.putArray("parts"));
    ObjectNode usage = answer.putObject("usageMetadata").put("promptTokenCount", 100);
    usage.put("candidatesTokenCount", 10).put("totalTokenCount", 110);
    return stream ? "data: " + answer + "\r\n\r\n" : answer.toString();
  }

  private static void parts(JsonNode request, ModelReply reply, ArrayNode parts) {
    if (isRouting(request)) {
      ObjectNode route = JSON.createObjectNode().put("complexity_reasoning", "simple");
      route.put("complexity_score", 10).put("reasoning", "simple").put("model_choice", "flash");
      parts.addObject().put("text", route.put("next_speaker", "user").toString());
      return;
    }
    if (!reply.text().isEmpty()) {
      parts.addObject().put("text", reply.text());
    }
    for (ToolCall call : reply.calls()) {
      ObjectNode function = parts.addObject().putObject("functionCall").put("name", call.tool());
      function.set("args", call.arguments());
    }
  }

  /// The agent asks which model to take.
  private static boolean isRouting(JsonNode request) {
    return request
        .path("generationConfig")
        .path("responseMimeType")
        .asText()
        .equals("application/json");
  }
}
