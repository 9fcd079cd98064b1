package dev.agentmemory.bench.agents.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/// The Responses API, which Codex calls.
final class ResponsesFormat implements ModelFormat {

  @Override
  public ModelConversation read(JsonNode request) {
    var conversation = new ModelConversation(!request.path("tools").isEmpty());
    JsonNode input = request.path("input");
    if (input.isTextual()) {
      conversation.user(input.asText());
    }
    for (JsonNode item : input) {
      switch (item.path("type").asText("message")) {
        case "message" -> {
          if (item.path("role").asText().equals("user")) {
            conversation.user(ModelFormat.text(item.path("content")));
          }
        }
        case "function_call", "custom_tool_call" -> conversation.call();
        default -> {
          // Results, reasoning.
        }
      }
    }
    return conversation;
  }

  @Override
  public String write(JsonNode request, ModelReply reply, String id) {
    ObjectNode response = JSON.createObjectNode().put("id", "resp_" + id).put("object", "response");
    var events = new StringBuilder();
    response.put("status", "in_progress").putArray("output");
    events.append(event("response.created", "response", response));
    ArrayNode output = JSON.createArrayNode();
    if (!reply.text().isEmpty()) {
      text(events, output, reply.text(), id);
    }
    for (ToolCall call : reply.calls()) {
      String number = id + "_" + output.size();
      ObjectNode item = ModelFormat.object("function_call").put("id", "fc_" + number);
      item.put("call_id", "call_" + number).put("name", call.tool());
      item.put("arguments", call.input()).put("status", "completed");
      if (!call.namespace().isEmpty()) {
        item.put("namespace", call.namespace());
      }
      done(events, output, item);
    }
    ObjectNode completed = response.deepCopy().put("status", "completed");
    completed.set("output", output);
    ObjectNode usage = completed.putObject("usage");
    usage.put("input_tokens", 100).put("output_tokens", 10).put("total_tokens", 110);
    usage.putObject("input_tokens_details").put("cached_tokens", 0);
    usage.putObject("output_tokens_details").put("reasoning_tokens", 0);
    return events.append(event("response.completed", "response", completed)).toString();
  }

  private static void text(StringBuilder events, ArrayNode output, String text, String id) {
    ObjectNode item = ModelFormat.object("message").put("id", "msg_" + id);
    item.put("role", "assistant").put("status", "completed").putArray("content");
    ObjectNode added = ModelFormat.object("response.output_item.added").put("output_index", 0);
    added.set("item", item.deepCopy());
    ObjectNode delta = ModelFormat.object("response.output_text.delta").put("item_id", "msg_" + id);
    delta.put("output_index", 0).put("content_index", 0).put("delta", text);
    events.append(ModelFormat.event(added)).append(ModelFormat.event(delta));
    ObjectNode part = ModelFormat.object("output_text").put("text", text);
    part.putArray("annotations");
    item.putArray("content").add(part);
    done(events, output, item);
  }

  private static void done(StringBuilder events, ArrayNode output, ObjectNode item) {
    ObjectNode done = ModelFormat.object("response.output_item.done");
    done.put("output_index", output.size()).set("item", item);
    output.add(item);
    events.append(ModelFormat.event(done));
  }

  private static String event(String type, String field, ObjectNode value) {
    ObjectNode event = ModelFormat.object(type);
    event.set(field, value.deepCopy());
    return ModelFormat.event(event);
  }
}
