package dev.agentmemory.toc.summary.model;

import java.io.IOException;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse.PushPromiseHandler;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/// The JDK's HTTP client with what a provider's client does not see to: the time limit holds for
/// the body too, answers have a largest size, an interrupt ends the request, and the header that
/// says when to come back is kept.
final class BoundedHttpClient extends HttpClient {

  /// Largest answer in bytes. One of 1000 tokens has some 10 KiB; the rest is headroom for long
  /// answers and for what providers put around them.
  static final long MOST_BYTES = 1 << 20;

  private final HttpClient client;
  private final Duration timeout;

  /// The last answer's request to wait. Of each thread, since threads share the connection.
  private final ThreadLocal<Optional<String>> retryAfter = ThreadLocal.withInitial(Optional::empty);

  BoundedHttpClient(Duration timeout) {
    this.timeout = timeout;
    // Over plain HTTP the JDK would ask for HTTP/2 first, which several local servers stumble over.
    this.client =
        HttpClient.newBuilder()
            .version(Version.HTTP_1_1)
            .followRedirects(Redirect.NEVER)
            .connectTimeout(timeout)
            .build();
  }

  /// The header `Retry-After` of the answer that this thread got last.
  Optional<String> retryAfter() {
    return retryAfter.get();
  }

  /// An address without what may be secret in it.
  static String shown(URI url) {
    String port = url.getPort() < 0 ? "" : ":" + url.getPort();
    String path = Objects.requireNonNullElse(url.getPath(), "");
    return url.getScheme() + "://" + url.getHost() + port + path;
  }

  @Override
  public <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> handler)
      throws IOException, InterruptedException {
    retryAfter.set(Optional.empty());
    CompletableFuture<HttpResponse<T>> answer =
        client.sendAsync(request, BodyHandlers.limiting(handler, MOST_BYTES));
    try {
      HttpResponse<T> response = answer.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
      retryAfter.set(response.headers().firstValue("Retry-After"));
      return response;
    } catch (TimeoutException e) {
      throw new HttpTimeoutException("no answer within " + timeout);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException io) {
        throw io;
      }
      throw new IOException("request failed", e.getCause());
    } finally {
      answer.cancel(true);
    }
  }

  @Override
  public <T> CompletableFuture<HttpResponse<T>> sendAsync(
      HttpRequest request, BodyHandler<T> handler) {
    return client.sendAsync(request, handler);
  }

  @Override
  public <T> CompletableFuture<HttpResponse<T>> sendAsync(
      HttpRequest request, BodyHandler<T> handler, PushPromiseHandler<T> pushes) {
    return client.sendAsync(request, handler, pushes);
  }

  @Override
  public void close() {
    client.shutdownNow();
  }

  @Override
  public Optional<CookieHandler> cookieHandler() {
    return client.cookieHandler();
  }

  @Override
  public Optional<Duration> connectTimeout() {
    return client.connectTimeout();
  }

  @Override
  public Redirect followRedirects() {
    return client.followRedirects();
  }

  @Override
  public Optional<ProxySelector> proxy() {
    return client.proxy();
  }

  @Override
  public SSLContext sslContext() {
    return client.sslContext();
  }

  @Override
  public SSLParameters sslParameters() {
    return client.sslParameters();
  }

  @Override
  public Optional<Authenticator> authenticator() {
    return client.authenticator();
  }

  @Override
  public Version version() {
    return client.version();
  }

  @Override
  public Optional<Executor> executor() {
    return client.executor();
  }
}
