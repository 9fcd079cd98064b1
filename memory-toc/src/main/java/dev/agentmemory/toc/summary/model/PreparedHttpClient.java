package dev.agentmemory.toc.summary.model;

import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpClient.Version;
import java.time.Duration;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/// Gives providers' clients, which want to build an HTTP client, the one that there is. What they
/// would set is set already.
record PreparedHttpClient(BoundedHttpClient wire) implements HttpClient.Builder {

  @Override
  public HttpClient build() {
    return wire;
  }

  @Override
  public PreparedHttpClient cookieHandler(CookieHandler handler) {
    return this;
  }

  @Override
  public PreparedHttpClient connectTimeout(Duration length) {
    return this;
  }

  @Override
  public PreparedHttpClient sslContext(SSLContext context) {
    return this;
  }

  @Override
  public PreparedHttpClient sslParameters(SSLParameters parameters) {
    return this;
  }

  @Override
  public PreparedHttpClient executor(Executor threads) {
    return this;
  }

  @Override
  public PreparedHttpClient followRedirects(Redirect policy) {
    return this;
  }

  @Override
  public PreparedHttpClient version(Version version) {
    return this;
  }

  @Override
  public PreparedHttpClient priority(int priority) {
    return this;
  }

  @Override
  public PreparedHttpClient proxy(ProxySelector selector) {
    return this;
  }

  @Override
  public PreparedHttpClient authenticator(Authenticator authenticator) {
    return this;
  }
}
