package dev.agentmemory.search.embed;

import dev.agentmemory.spi.BackgroundLoop;
import dev.agentmemory.spi.Mutex;
import dev.agentmemory.spi.Ticker;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/// Embeds events: one thread, `memory-embedder`, for all workspaces, so that however many are open
/// no more than the model's own threads work for it. These leave the processors to others: nobody
/// waits for the vector of an event. Idea: each workspace has a [Registration]; the thread takes a
/// small batch of the one that waits for longest, so they take turns. It starts with the first work
/// and sleeps while there is none.
///
/// A workspace whose model is not reachable leaves the queue until it is told to try again.
public final class EmbeddingThread implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(EmbeddingThread.class);

  /// Texts that go to the model at once.
  private static final int BATCH = 32;

  /// How long new events wait for more of them.
  private static final Duration DEBOUNCE = Duration.ofSeconds(1);

  /// How long a workspace that is not ready is skipped.
  private static final Duration PAUSE = Duration.ofSeconds(1);

  /// How often the model is maintained while there is no work.
  private static final Duration MAINTENANCE = Duration.ofMinutes(1);

  /// How long closing a workspace waits for its batch.
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

  private final Ticker ticker;
  private final Optional<Embedder> embedder;
  private final BackgroundLoop loop;
  private final Mutex lock = new Mutex();
  private final Set<Registration> queue = new LinkedHashSet<>();
  private boolean started;
  private boolean closing;
  private long maintained;

  /// The work in a workspace.
  public interface Work {

    /// Why nothing may be embedded now; called before every batch.
    Optional<String> pausedBecause();

    /// Embeds some events.
    ///
    /// @return how many were looked at; 0 when nothing is missing
    int embed(Embedder embedder, int limit);
  }

  /// @param embedder is not closed with this; empty when nothing is ever embedded
  public EmbeddingThread(Ticker ticker, Optional<Embedder> embedder) {
    this.ticker = ticker;
    this.embedder = embedder;
    this.maintained = ticker.nanos();
    this.loop = BackgroundLoop.ofLowPriority("memory-embedder", this::step);
  }

  public Optional<Embedder> embedder() {
    return embedder;
  }

  /// Registers a workspace.
  public Registration join(Work work) {
    return new Registration(work);
  }

  /// One batch of the workspace that waits for longest.
  ///
  /// @return how long nothing is due
  private Duration step() {
    next().ifPresent(registration -> registration.turn(embedder.orElseThrow()));
    if (ticker.nanos() - maintained >= MAINTENANCE.toNanos()) {
      maintained = ticker.nanos();
      embedder.ifPresent(Embedder::maintain);
    }
    return locked(() -> {
      long now = ticker.nanos();
      return first(now)
          .map(registration -> Duration.ofNanos(registration.due - now))
          .filter(wait -> wait.compareTo(MAINTENANCE) < 0)
          .orElse(MAINTENANCE);
    });
  }

  /// @return empty when none is due
  private Optional<Registration> next() {
    return locked(() -> {
      long now = ticker.nanos();
      Optional<Registration> due = first(now).filter(registration -> registration.due - now <= 0);
      due.ifPresent(Registration::begin);
      return due;
    });
  }

  private Optional<Registration> first(long now) {
    return queue.stream().min(Comparator.comparingLong(registration -> registration.due - now));
  }

  private <T> T locked(Supplier<T> action) {
    try (var _ = lock.hold()) {
      return action.get();
    }
  }

  /// Ends the thread after the current batch. Workspaces leave first.
  @Override
  public void close() {
    locked(() -> {
      closing = true;
      return true;
    });
    try {
      loop.close(CLOSE_TIMEOUT);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// The registration of one workspace.
  public final class Registration implements AutoCloseable {

    private final Work work;
    private final List<CompletableFuture<Long>> waiting = new ArrayList<>();

    /// Taken while a batch is worked on.
    private final Semaphore batch = new Semaphore(1);

    private volatile Optional<String> waitsFor = Optional.empty();
    private boolean failed;
    private boolean left;
    private boolean woken;
    private long due;
    private long done;

    private Registration(Work work) {
      this.work = work;
    }

    /// There are new events. After a model failure they wait with the others.
    public void wake() {
      locked(() -> !failed && enqueue(DEBOUNCE));
    }

    /// Embeds every event without a vector, also where the model was not reachable before.
    ///
    /// @return how many events were looked at, once none is left; fails with `MODEL_UNAVAILABLE`
    ///   when the model is not reachable, with `CLOSED` when the workspace is closed first
    public CompletableFuture<Long> retry() {
      return locked(() -> {
        var end = new CompletableFuture<Long>();
        failed = false;
        if (enqueue(Duration.ZERO)) {
          waiting.add(end);
        } else {
          end.completeExceptionally(closed());
        }
        return end;
      });
    }

    /// Why nothing is embedded although something has no vector.
    public Optional<String> waitsFor() {
      return waitsFor;
    }

    /// Whether there is work that can be done now.
    public boolean isWorking() {
      return locked(() -> queue.contains(this)) && waitsFor.isEmpty();
    }

    /// @return whether it is in the queue now
    private boolean enqueue(Duration in) {
      if (left || closing || embedder.isEmpty()) {
        return false;
      }
      long at = ticker.nanos() + in.toNanos();
      woken = true;
      due = queue.add(this) || at - due < 0 ? at : due;
      if (!started) {
        started = true;
        loop.start();
      }
      loop.wake();
      return true;
    }

    private void begin() {
      batch.acquireUninterruptibly();
      woken = false;
    }

    private void turn(Embedder model) {
      try {
        Optional<String> paused = work.pausedBecause();
        waitsFor = paused;
        int count = paused.isPresent() ? 0 : work.embed(model, BATCH);
        locked(() -> {
          done += count;
          if (paused.isPresent() || count > 0) {
            due = ticker.nanos() + (paused.isPresent() ? PAUSE.toNanos() : 0);
          } else if (!woken) {
            long all = done;
            done = 0;
            leave(end -> end.complete(all));
          }
          return done;
        });
      } catch (RuntimeException | Error e) {
        failed(e);
      } finally {
        batch.release();
      }
    }

    /// A failure of a model or an index must not end the thread, which serves other workspaces.
    private void failed(Throwable cause) {
      String why = String.valueOf(cause.getMessage());
      boolean known = waitsFor.equals(Optional.of(why));
      LOG.atLevel(known ? Level.DEBUG : Level.WARN)
          .log("embedding is suspended until the next backfill: {}", why);
      LOG.debug("why embedding waits", cause);
      waitsFor = Optional.of(why);
      locked(() -> {
        failed = true;
        leave(end ->
            end.completeExceptionally(
                new MemoryException(ErrorCode.MODEL_UNAVAILABLE, why, cause)));
        return true;
      });
    }

    private void leave(Consumer<CompletableFuture<Long>> how) {
      queue.remove(this);
      waiting.forEach(how);
      waiting.clear();
    }

    private static MemoryException closed() {
      return new MemoryException(ErrorCode.CLOSED, "the workspace is closed; nothing is embedded");
    }

    /// Leaves the queue and waits for the current batch, up to a limit.
    @Override
    public void close() {
      locked(() -> {
        left = true;
        leave(end -> end.completeExceptionally(closed()));
        return true;
      });
      try {
        if (batch.tryAcquire(CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
          batch.release();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
