package dev.agentmemory.bench.agents.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/// Chat completions, which Copilot CLI and OpenCode call.
final class ChatCompletionsFormat implements ModelFormat {

  @Override
  public ModelConversation read(JsonNode request) {
    var conversation = new ModelConversation(!request.path("tools").isEmpty());
    for (JsonNode message : request.path("messages")) {
      switch (message.path("role").asText()) {
        case "user" -> conversation.user(ModelFormat.text(message.path("content")));
        case "assistant" -> message.path("tool_calls").forEach(_ -> conversation.call());
        default -> {
          // Instructions, results of tools.
        }
      }
    }
    return conversation;
  }

  @Override
  public String write(JsonNode request, ModelReply reply, String id) {
    ArrayNode calls = JSON.createArrayNode();
    for (ToolCall call : reply.calls()) {
      ObjectNode one = ModelFormat.object("function").put("index", calls.size());
      one.put("id", "call_" + id + "_" + calls.size());
      one.putObject("function").put("name", call.tool()).put("arguments", call.input());
      calls.add(one);
    }
    ObjectNode message = JSON.createObjectNode().put("role", "assistant");
    message.put("content", reply.text());
    if (!calls.isEmpty()) {
      message.set("tool_calls", calls);
    }
    String finish = calls.isEmpty() ? "stop" : "tool_calls";
    if (!request.path("stream").asBoolean()) {
      ObjectNode answer = answer(request, id, "chat.completion");
      ObjectNode choice = answer.putArray("choices").addObject().put("index", 0);
      choice.put("finish_reason", finish).set("message", message);
      usage(answer);
      return answer.toString();
    }
    ObjectNode last = answer(request, id, "chat.completion.chunk");
    last.putArray("choices");
    usage(last);
    return chunk(request, id, message, null)
        + chunk(request, id, JSON.createObjectNode(), finish)
        + "data: "
        + last
        + "\n\ndata: [DONE]\n\n";
  }

  private static String chunk(
      JsonNode request, String id, ObjectNode delta, @Nullable String finish) {
    ObjectNode chunk = answer(request, id, "chat.completion.chunk");
    ObjectNode choice = chunk.putArray("choices").addObject().put("index", 0);
    choice.put("finish_reason", finish).set("delta", delta);
    return "data: " + chunk + "\n\n";
  }

  private static ObjectNode answer(JsonNode request, String id, String object) {
    ObjectNode answer = JSON.createObjectNode().put("id", "chatcmpl-" + id).put("object", object);
    return answer.put("created", 1).put("model", request.path("model").asText());
  }

  private static void usage(ObjectNode answer) {
    ObjectNode usage = answer.putObject("usage").put("prompt_tokens", 100);
    usage.put("completion_tokens", 10).put("total_tokens", 110);
  }
}
