package dev.agentmemory.search.embed;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/// Asks a server for embeddings. Nothing is tried twice here: what failed is due again at the
/// caller's next turn, and a question is answered by words meanwhile. An interrupt ends a request.
///
/// Whatever goes wrong is one sentence without the server's own words: they may repeat a key.
public final class RemoteEmbedder implements Embedder, AutoCloseable {

  /// Texts of one request.
  private static final int BATCH = 64;

  /// What is sent of a text, in UTF-16 units: about what models read whose window is 512 tokens.
  private static final int MAX_CHARS = 2000;

  /// Longest answer, in bytes: several times what a batch of the longest vectors takes.
  private static final long MAX_ANSWER = 32L << 20;

  private final RemoteModel remote;
  private final HttpClient client;

  /// 0 while it is not known.
  private final AtomicInteger learnt;

  public RemoteEmbedder(RemoteModel remote) {
    this.remote = remote;
    this.learnt = new AtomicInteger(remote.dimension().orElse(0));
    this.client =
        HttpClient.newBuilder()
            .connectTimeout(remote.timeout())
            .version(HttpClient.Version.HTTP_1_1)
            // A key goes to the server that was named and to no other.
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();
  }

  @Override
  public String model() {
    return remote.name();
  }

  @Override
  public int dimension() {
    int known = learnt.get();
    return known > 0 ? known : query("dimension").length;
  }

  @Override
  public List<float[]> documents(List<String> texts) {
    List<float[]> vectors = new ArrayList<>();
    for (int from = 0; from < texts.size(); from += BATCH) {
      vectors.addAll(ask(texts.subList(from, Math.min(from + BATCH, texts.size()))));
    }
    return vectors;
  }

  @Override
  public float[] query(String text) {
    return ask(List.of(text)).getFirst();
  }

  private List<float[]> ask(List<String> texts) {
    HttpResponse<String> response =
        send(texts.stream().map(text -> Beginnings.of(text, MAX_CHARS)).toList());
    if (response.statusCode() != 200) {
      throw refused(response.statusCode());
    }
    List<JsonNode> found = remote.api().vectors(read(response.body()));
    if (found.size() != texts.size()) {
      throw unavailable("returned " + found.size() + " vectors for " + texts.size() + " texts");
    }
    return found.stream().map(this::vector).toList();
  }

  private HttpResponse<String> send(List<String> texts) {
    String body = remote.api().body(remote.model(), texts, remote.dimension());
    HttpRequest.Builder request =
        HttpRequest.newBuilder(remote.endpoint())
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body));
    remote.key().ifPresent(key -> request.header("Authorization", "Bearer " + key));
    CompletableFuture<HttpResponse<String>> answer =
        client.sendAsync(
            request.build(),
            BodyHandlers.limiting(BodyHandlers.ofString(StandardCharsets.UTF_8), MAX_ANSWER));
    try {
      return answer.get(remote.timeout().toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw unavailable("did not answer within " + remote.timeout().toMillis() + " ms");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unavailable("was interrupted");
    } catch (ExecutionException e) {
      boolean refused = e.getCause() instanceof ConnectException;
      throw unavailable(
          refused
              ? "cannot be reached; check that it is running"
              : "closed the connection or sent too large a response");
    } finally {
      answer.cancel(true);
    }
  }

  private MemoryException refused(int status) {
    String why =
        switch (status) {
          case 401, 403 -> "refused the key";
          case 404 -> "has no such model, or the base URL is wrong";
          case 429 -> "is rate-limiting requests";
          default -> status >= 500 ? "failed" : "refused the request";
        };
    return unavailable(why + " (HTTP " + status + ")");
  }

  private JsonNode read(String body) {
    try {
      return RemoteApi.JSON.readTree(body);
    } catch (JsonProcessingException e) {
      throw unavailable("returned a response that is not JSON; check the base URL of the API");
    }
  }

  private float[] vector(JsonNode numbers) {
    float[] vector = new float[numbers.size()];
    for (int i = 0; i < vector.length; i++) {
      // What is no number becomes one that is refused below.
      vector[i] = numbers.get(i).isNumber() ? numbers.get(i).floatValue() : Float.NaN;
    }
    if (vector.length > MAX_DIMENSION) {
      throw unavailable(
          "returned a vector of "
              + vector.length
              + " numbers; the index holds "
              + MAX_DIMENSION
              + " at most: set a smaller dimension, or use another model");
    }
    float[] unit =
        UnitVectors.unit(vector)
            .orElseThrow(() -> unavailable("returned a vector that is zero, empty or not finite"));
    int expected = learnt.updateAndGet(known -> known > 0 ? known : unit.length);
    if (unit.length != expected) {
      throw unavailable("returned a vector of " + unit.length + " numbers instead of " + expected);
    }
    return unit;
  }

  private MemoryException unavailable(String what) {
    return new MemoryException(
        ErrorCode.MODEL_UNAVAILABLE,
        "the embedding model " + remote.name() + " at " + remote.server() + ' ' + what);
  }

  /// Ends what runs.
  @Override
  public void close() {
    client.shutdownNow();
  }
}
