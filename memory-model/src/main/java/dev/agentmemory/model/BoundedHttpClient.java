package dev.agentmemory.model;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// Sends one request at a time for a caller: the time limit includes the body, an answer has a
/// largest size, and an interrupt ends the request. Any thread may use it.
final class BoundedHttpClient implements AutoCloseable {

  static final ObjectMapper JSON = new ObjectMapper();

  private final ModelEndpoint endpoint;
  private final long maxBytes;
  private @Nullable HttpClient client;

  /// @param maxBytes largest answer
  BoundedHttpClient(ModelEndpoint endpoint, long maxBytes) {
    this.endpoint = endpoint;
    this.maxBytes = maxBytes;
  }

  /// Sends JSON. Nothing is retried here.
  ///
  /// @param path below the endpoint's base URL
  ModelResponse post(String path, JsonNode body) {
    CompletableFuture<HttpResponse<String>> answer =
        client()
            .sendAsync(
                request(path, body), BodyHandlers.limiting(BodyHandlers.ofString(), maxBytes));
    try {
      return read(answer.get(endpoint.timeout().toNanos(), TimeUnit.NANOSECONDS));
    } catch (TimeoutException e) {
      return new Failure.Silent();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Failure.Interrupted();
    } catch (ExecutionException e) {
      return failure(e);
    } finally {
      answer.cancel(true);
    }
  }

  private HttpRequest request(String path, JsonNode body) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(endpoint.url(path))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body.toString()));
    if (endpoint.provider() == Provider.ANTHROPIC) {
      request.header("anthropic-version", "2023-06-01");
      endpoint.key().ifPresent(key -> request.header("x-api-key", key));
    } else {
      endpoint.key().ifPresent(key -> request.header("Authorization", "Bearer " + key));
    }
    return request.build();
  }

  private static ModelResponse read(HttpResponse<String> response) {
    Optional<String> retryAfter = response.headers().firstValue("Retry-After");
    if (response.statusCode() / 100 != 2) {
      return new Failure.Refused(response.statusCode(), response.body(), retryAfter);
    }
    try {
      return new ResponseBody(JSON.readTree(response.body()), retryAfter);
    } catch (JsonProcessingException e) {
      return new Failure.Garbled(retryAfter);
    }
  }

  private static Failure failure(ExecutionException thrown) {
    Throwable cause = thrown.getCause();
    if (cause instanceof HttpTimeoutException) {
      return new Failure.Silent();
    }
    if (cause instanceof ConnectException) {
      return new Failure.Unreachable();
    }
    // The JDK has no type for it.
    boolean tooLarge = String.valueOf(cause).contains("exceeds capacity");
    return tooLarge ? new Failure.TooLarge() : new Failure.Broken();
  }

  /// Created with the first request: a daemon that asks no model needs no connection.
  private synchronized HttpClient client() {
    HttpClient open = client;
    if (open == null) {
      open =
          HttpClient.newBuilder()
              .connectTimeout(endpoint.timeout())
              // Over plain HTTP the JDK asks for HTTP/2 first, which some local servers fail on.
              .version(HttpClient.Version.HTTP_1_1)
              // A key is sent to the configured server and to no other.
              .followRedirects(HttpClient.Redirect.NEVER)
              .build();
      client = open;
    }
    return open;
  }

  /// Ends the requests that run.
  @Override
  public synchronized void close() {
    if (client != null) {
      client.shutdownNow();
      client = null;
    }
  }
}
