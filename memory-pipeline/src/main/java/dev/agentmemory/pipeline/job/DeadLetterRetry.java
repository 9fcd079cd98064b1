package dev.agentmemory.pipeline.job;

import dev.agentmemory.spi.Job;
import dev.agentmemory.spi.Schedule;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.DeadLetter;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.store.OutboxEntry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Applies dead letters again. A letter that succeeds is deleted, one that fails is kept.
public final class DeadLetterRetry {

  private static final Logger LOG = LoggerFactory.getLogger(DeadLetterRetry.class);
  private static final int PAGE = 100;

  private final MemoryStore store;
  private final Map<String, Consumer<OutboxEntry>> consumers;

  /// @param consumers by name: applies an entry again, without moving the consumer's cursor; throws
  ///   when it fails
  public DeadLetterRetry(MemoryStore store, Map<String, Consumer<OutboxEntry>> consumers) {
    this.store = store;
    this.consumers = Map.copyOf(consumers);
  }

  /// The job that runs this on request.
  ///
  /// @param applied is run after each run: entries may have been applied
  public Job job(Duration timeout, Runnable applied) {
    return new Job(
        "dead_letters",
        new Schedule.OnRequest(),
        timeout,
        () -> {
          Result result = run();
          applied.run();
          return Map.of(
              "applied", Long.toString(result.applied()), "kept", Long.toString(result.kept()));
        });
  }

  /// How it went.
  ///
  /// @param applied letters that were deleted
  /// @param kept letters that failed again
  public record Result(long applied, long kept) {}

  /// Tries every letter once, oldest first; ends early when its thread is interrupted.
  public Result run() {
    long applied = 0;
    long kept = 0;
    Optional<DeadLetter> after = Optional.empty();
    List<DeadLetter> page;
    do {
      page = store.outbox().deadLetters(after, PAGE);
      for (DeadLetter letter : page) {
        if (Thread.currentThread().isInterrupted()) {
          return new Result(applied, kept);
        }
        boolean done = applies(letter);
        applied += done ? 1 : 0;
        kept += done ? 0 : 1;
        after = Optional.of(letter);
      }
    } while (page.size() == PAGE);
    return new Result(applied, kept);
  }

  private boolean applies(DeadLetter letter) {
    String consumer = letter.consumer();
    long sequence = letter.entry().sequence();
    Consumer<OutboxEntry> retry = consumers.get(consumer);
    if (retry == null) {
      return false;
    }
    try {
      retry.accept(letter.entry());
    } catch (RuntimeException e) {
      LOG.warn("outbox entry {} of {} failed again", sequence, consumer, e);
      return false;
    }
    store.commit(Commit.of(new Change.DropDeadLetter(consumer, sequence)));
    return true;
  }
}
