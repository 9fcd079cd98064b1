package dev.agentmemory.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;

/// Asks a model for embeddings, once for each call. Any thread may use it; an interrupt ends a
/// request.
///
/// Errors are one sentence without the server's own words, which may repeat the key.
public final class EmbeddingClient implements AutoCloseable {

  /// Longest answer, in bytes: several times what a batch of the longest vectors takes.
  private static final long MAX_ANSWER = 32L << 20;

  private final ModelEndpoint endpoint;
  private final OptionalInt dimension;
  private final BoundedHttpClient http;

  /// Opens no connection.
  ///
  /// @param dimension to which the server is asked to shorten vectors; empty for the model's own
  /// @throws IllegalArgumentException when the provider has no embeddings
  public EmbeddingClient(ModelEndpoint endpoint, OptionalInt dimension) {
    if (endpoint.provider() == Provider.ANTHROPIC) {
      throw new IllegalArgumentException(endpoint.provider().id() + " has no embeddings");
    }
    this.endpoint = endpoint;
    this.dimension = dimension;
    this.http = new BoundedHttpClient(endpoint, MAX_ANSWER);
  }

  /// @return one vector for each text, in the same order, as the server sent them; `NaN` stands for
  ///   what is not a number
  /// @throws MemoryException `MODEL_UNAVAILABLE` when there are none to be had now
  public List<float[]> embed(List<String> texts) {
    Collection<JsonNode> vectors =
        switch (http.post(isOpenAi() ? "embeddings" : "api/embed", request(texts))) {
          case ResponseBody body -> isOpenAi() ? byIndex(body.json()) : inOrder(body.json());
          case Failure failure -> throw unavailable(problem(failure));
        };
    if (vectors.size() != texts.size()) {
      throw unavailable("returned " + vectors.size() + " vectors for " + texts.size() + " texts");
    }
    return vectors.stream().map(EmbeddingClient::vector).toList();
  }

  /// The error for an answer of the server that cannot be used.
  ///
  /// @param problem what the server did, as the rest of a sentence
  public MemoryException unavailable(String problem) {
    return new MemoryException(
        ErrorCode.MODEL_UNAVAILABLE,
        "the embedding model " + endpoint.name() + " at " + endpoint.server() + ' ' + problem);
  }

  private boolean isOpenAi() {
    return endpoint.provider() == Provider.OPENAI;
  }

  private ObjectNode request(List<String> texts) {
    ObjectNode body = BoundedHttpClient.JSON.createObjectNode().put("model", endpoint.model());
    texts.forEach(body.putArray("input")::add);
    dimension.ifPresent(number -> body.put("dimensions", number));
    return isOpenAi() ? body.put("encoding_format", "float") : body.put("truncate", true);
  }

  /// OpenAI numbers the vectors, as their order is not promised.
  private static Collection<JsonNode> byIndex(JsonNode answer) {
    Map<Integer, JsonNode> byIndex = new TreeMap<>();
    for (JsonNode one : answer.path("data")) {
      byIndex.put(one.path("index").asInt(byIndex.size()), one.path("embedding"));
    }
    return byIndex.values();
  }

  private static Collection<JsonNode> inOrder(JsonNode answer) {
    List<JsonNode> vectors = new ArrayList<>();
    answer.path("embeddings").forEach(vectors::add);
    return vectors;
  }

  private static float[] vector(JsonNode numbers) {
    float[] vector = new float[numbers.size()];
    for (int i = 0; i < vector.length; i++) {
      vector[i] = numbers.path(i).isNumber() ? numbers.path(i).floatValue() : Float.NaN;
    }
    return vector;
  }

  private String problem(Failure failure) {
    return switch (failure) {
      case Failure.Refused refused -> reason(refused.status()) + " (HTTP " + refused.status() + ")";
      case Failure.Garbled _ ->
          "returned a response that is not JSON; check the base URL of the API";
      case Failure.Silent _ -> "did not answer within " + endpoint.timeout().toMillis() + " ms";
      case Failure.Unreachable _ -> "cannot be reached; check that it is running";
      case Failure.Broken _, Failure.TooLarge _ ->
          "closed the connection or sent too large a response";
      case Failure.Interrupted _ -> "was interrupted";
    };
  }

  private static String reason(int status) {
    return switch (status) {
      case 401, 403 -> "refused the key";
      case 404 -> "has no such model, or the base URL is wrong";
      case 429 -> "is rate-limiting requests";
      default -> status >= 500 ? "failed" : "refused the request";
    };
  }

  /// Ends the requests that run.
  @Override
  public void close() {
    http.close();
  }
}
