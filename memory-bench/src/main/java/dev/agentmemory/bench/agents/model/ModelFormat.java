package dev.agentmemory.bench.agents.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/// The wire format of one service.
interface ModelFormat {

  ObjectMapper JSON = new ObjectMapper();

  /// What a request says.
  ModelConversation read(JsonNode request);

  /// The body of an answer.
  ///
  /// @param id of the answer, new for each one
  String write(JsonNode request, ModelReply reply, String id);

  /// An event of a stream.
  static String event(ObjectNode data) {
    return "event: " + data.path("type").asText() + "\ndata: " + data + "\n\n";
  }

  static ObjectNode object(String type) {
    return JSON.createObjectNode().put("type", type);
  }

  /// The text of a content that is a text or a list of parts.
  static String text(JsonNode content) {
    if (content.isTextual()) {
      return content.asText();
    }
    List<String> texts = new ArrayList<>();
    content.forEach(part -> {
      if (part.path("text").isTextual()) {
        texts.add(part.path("text").asText());
      }
    });
    return String.join("\n", texts);
  }
}
