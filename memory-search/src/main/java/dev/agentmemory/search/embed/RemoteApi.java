package dev.agentmemory.search.embed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;

/// How a server of embeddings is spoken to.
public enum RemoteApi {
  /// `POST {base}/embeddings`, as OpenAI defined it and many servers do it.
  OPENAI {
    @Override
    String path() {
      return "embeddings";
    }

    @Override
    void refine(ObjectNode body) {
      body.put("encoding_format", "float");
    }

    // They carry numbers, as their order is not promised.
    @Override
    List<JsonNode> vectors(JsonNode answer) {
      Map<Integer, JsonNode> byNumber = new TreeMap<>();
      for (JsonNode one : answer.path("data")) {
        byNumber.put(one.path("index").asInt(byNumber.size()), one.path("embedding"));
      }
      return List.copyOf(byNumber.values());
    }
  },
  /// `POST {base}/api/embed`
  OLLAMA {
    @Override
    String path() {
      return "api/embed";
    }

    @Override
    void refine(ObjectNode body) {
      body.put("truncate", true);
    }

    @Override
    List<JsonNode> vectors(JsonNode answer) {
      List<JsonNode> vectors = new ArrayList<>();
      answer.path("embeddings").forEach(vectors::add);
      return vectors;
    }
  };

  static final ObjectMapper JSON = new ObjectMapper();

  /// Below the base URL.
  abstract String path();

  /// Adds what only this one knows.
  abstract void refine(ObjectNode body);

  /// The vectors of an answer in the order of the texts; what cannot be read is left out.
  abstract List<JsonNode> vectors(JsonNode answer);

  String body(String model, List<String> texts, OptionalInt dimension) {
    ObjectNode body = JSON.createObjectNode().put("model", model);
    texts.forEach(body.putArray("input")::add);
    dimension.ifPresent(number -> body.put("dimensions", number));
    refine(body);
    return body.toString();
  }

  String id() {
    return name().toLowerCase(Locale.ROOT);
  }
}
