package dev.agentmemory.service;

import dev.agentmemory.api.Ingest;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/// Takes batches and answers them only when the test says so.
class SteppedIngest implements Ingest {

  record Taken(List<Event> events, CompletableFuture<List<Receipt>> answer) {

    void complete() {
      answer.complete(
          events.stream().<Receipt>map(event -> new Receipt.Created(event.id())).toList());
    }
  }

  final LinkedBlockingDeque<Taken> taken = new LinkedBlockingDeque<>();
  final AtomicInteger refusals = new AtomicInteger();
  final AtomicInteger events = new AtomicInteger();

  @Override
  public CompletableFuture<List<Receipt>> append(List<Event> batch) {
    if (refusals.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      throw new MemoryException(ErrorCode.QUEUE_FULL, "too much is waiting");
    }
    events.addAndGet(batch.size());
    Taken one = new Taken(batch, new CompletableFuture<>());
    taken.add(one);
    return one.answer();
  }

  Taken next() throws InterruptedException {
    Taken one = taken.poll(10, TimeUnit.SECONDS);
    if (one == null) {
      throw new AssertionError("no batch was taken within 10 s");
    }
    return one;
  }
}
