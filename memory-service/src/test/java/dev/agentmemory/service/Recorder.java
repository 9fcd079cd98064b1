package dev.agentmemory.service;

import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Keeps the answers of a stream until it ends.
final class Recorder<T> implements StreamObserver<T> {

  private final List<T> seen = new ArrayList<>();
  private final CompletableFuture<List<T>> end = new CompletableFuture<>();

  @Override
  public synchronized void onNext(T answer) {
    seen.add(answer);
  }

  @Override
  public void onError(Throwable failure) {
    end.completeExceptionally(failure);
  }

  @Override
  public void onCompleted() {
    end.complete(soFar());
  }

  synchronized List<T> soFar() {
    return List.copyOf(seen);
  }

  /// Waits for a good end.
  List<T> all() {
    try {
      return end.get(20, TimeUnit.SECONDS);
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new AssertionError("the stream did not end well", e);
    }
  }

  /// Waits for a bad end.
  Throwable failure() {
    try {
      throw new AssertionError("the stream ended well: " + end.get(20, TimeUnit.SECONDS));
    } catch (ExecutionException e) {
      return Objects.requireNonNull(e.getCause());
    } catch (InterruptedException | TimeoutException e) {
      throw new AssertionError("the stream did not end", e);
    }
  }
}
