package dev.agentmemory.bench.agents.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/// The Messages API, which Claude Code calls.
final class MessagesFormat implements ModelFormat {

  @Override
  public ModelConversation read(JsonNode request) {
    var conversation = new ModelConversation(!request.path("tools").isEmpty());
    for (JsonNode message : request.path("messages")) {
      JsonNode content = message.path("content");
      if (message.path("role").asText().equals("user")) {
        conversation.user(ModelFormat.text(content));
      } else if (message.path("role").asText().equals("assistant")) {
        content.forEach(block -> {
          if (block.path("type").asText().equals("tool_use")) {
            conversation.call();
          }
        });
      }
    }
    return conversation;
  }

  @Override
  public String write(JsonNode request, ModelReply reply, String id) {
    ObjectNode message = ModelFormat.object("message");
    message.put("id", "msg_" + id).put("role", "assistant");
    message.put("model", request.path("model").asText());
    ArrayNode blocks = JSON.createArrayNode();
    if (!reply.text().isEmpty()) {
      blocks.add(ModelFormat.object("text").put("text", reply.text()));
    }
    for (ToolCall call : reply.calls()) {
      ObjectNode block = ModelFormat.object("tool_use");
      block.put("id", "toolu_" + id + "_" + blocks.size()).put("name", call.tool());
      block.set("input", call.arguments());
      blocks.add(block);
    }
    String stop = reply.calls().isEmpty() ? "end_turn" : "tool_use";
    if (!request.path("stream").asBoolean()) {
      message.set("content", blocks);
      message.put("stop_reason", stop).putNull("stop_sequence");
      usage(message);
      return message.toString();
    }
    message.putArray("content");
    message.putNull("stop_reason").putNull("stop_sequence");
    usage(message);
    ObjectNode start = ModelFormat.object("message_start");
    start.set("message", message);
    var events = new StringBuilder(ModelFormat.event(start));
    for (int i = 0; i < blocks.size(); i++) {
      block(events, blocks.get(i), i);
    }
    ObjectNode delta = ModelFormat.object("message_delta");
    delta.putObject("delta").put("stop_reason", stop).putNull("stop_sequence");
    delta.putObject("usage").put("output_tokens", 20);
    events.append(ModelFormat.event(delta));
    return events.append(ModelFormat.event(ModelFormat.object("message_stop"))).toString();
  }

  private static void usage(ObjectNode message) {
    message
        .putObject("usage")
        .put("input_tokens", 1000)
        .put("output_tokens", 1)
        .put("cache_creation_input_tokens", 0)
        .put("cache_read_input_tokens", 0);
  }

  private static void block(StringBuilder events, JsonNode block, int index) {
    boolean isText = block.path("type").asText().equals("text");
    ObjectNode begun = block.deepCopy();
    ObjectNode delta = ModelFormat.object(isText ? "text_delta" : "input_json_delta");
    if (isText) {
      begun.put("text", "");
      delta.put("text", block.path("text").asText());
    } else {
      begun.putObject("input");
      delta.put("partial_json", block.path("input").toString());
    }
    ObjectNode start = ModelFormat.object("content_block_start").put("index", index);
    start.set("content_block", begun);
    ObjectNode middle = ModelFormat.object("content_block_delta").put("index", index);
    middle.set("delta", delta);
    events.append(ModelFormat.event(start)).append(ModelFormat.event(middle));
    events.append(ModelFormat.event(ModelFormat.object("content_block_stop").put("index", index)));
  }
}
