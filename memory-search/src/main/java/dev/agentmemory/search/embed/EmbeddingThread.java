package dev.agentmemory.search.embed;

import dev.agentmemory.spi.BackgroundLoop;
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
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/// Gives events their vectors: one thread, `memory-embedder`, for all workspaces, so that however
/// many are open no more than the model's own threads work for it. Idea: each workspace has a
/// [Registration]; the thread takes a small batch of the one that waits for longest, so they take
/// turns. It starts with the first work and sleeps while there is none.
///
/// A workspace whose model cannot be asked leaves the line until it is told to try again.
public final class EmbeddingThread implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(EmbeddingThread.class);

  /// Texts that go to the model at once.
  private static final int BATCH = 32;

  /// How long new events wait for more of them.
  private static final Duration DEBOUNCE = Duration.ofSeconds(1);

  /// How long a workspace is left alone that must not be worked on.
  private static final Duration REST = Duration.ofSeconds(1);

  /// How often the model is looked after while nothing is to be done.
  private static final Duration TEND = Duration.ofMinutes(1);

  /// How long closing a workspace waits for its batch.
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final Ticker ticker;
  private final Optional<Embedder> embedder;
  private final BackgroundLoop loop;
  private final ReentrantLock lock = new ReentrantLock();
  private final Set<Registration> line = new LinkedHashSet<>();
  private boolean started;
  private boolean closing;
  private long tended;

  /// What is to be done in a workspace.
  public interface Work {

    /// Why nothing may be embedded now; asked before every batch.
    Optional<String> rests();

    /// Gives some events their vectors.
    ///
    /// @return how many were looked at; 0 when nothing is missing
    int embed(Embedder embedder, int limit);
  }

  /// @param embedder is not closed with this; empty when nothing is ever embedded
  public EmbeddingThread(Ticker ticker, Optional<Embedder> embedder) {
    this.ticker = ticker;
    this.embedder = embedder;
    this.tended = ticker.nanos();
    this.loop = new BackgroundLoop("memory-embedder", this::step);
  }

  public Optional<Embedder> embedder() {
    return embedder;
  }

  /// A workspace takes part.
  public Registration join(Work work) {
    return new Registration(work);
  }

  /// One batch of the workspace that waits for longest.
  ///
  /// @return how long nothing is due
  private Duration step() {
    next().ifPresent(registration -> registration.turn(embedder.orElseThrow()));
    if (ticker.nanos() - tended >= TEND.toNanos()) {
      tended = ticker.nanos();
      embedder.ifPresent(Embedder::tend);
    }
    return locked(() -> {
      long now = ticker.nanos();
      return first(now)
          .map(registration -> Duration.ofNanos(registration.due - now))
          .filter(wait -> wait.compareTo(TEND) < 0)
          .orElse(TEND);
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
    return line.stream().min(Comparator.comparingLong(registration -> registration.due - now));
  }

  private <T> T locked(Supplier<T> action) {
    lock.lock();
    try {
      return action.get();
    } finally {
      lock.unlock();
    }
  }

  /// Ends the thread after the batch at hand. Workspaces leave first.
  @Override
  public void close() {
    locked(() -> {
      closing = true;
      return true;
    });
    try {
      loop.close(PATIENCE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// The place of one workspace.
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

    /// There are new events. Where the model could not be asked they wait with the others.
    public void wake() {
      locked(() -> !failed && stand(DEBOUNCE));
    }

    /// Sees to everything that has no vector, also where the model could not be asked before.
    ///
    /// @return how many events were looked at, once none is left; fails with `MODEL_UNAVAILABLE`
    ///   when the model cannot be asked, with `CLOSED` when the workspace is closed first
    public CompletableFuture<Long> retry() {
      return locked(() -> {
        var end = new CompletableFuture<Long>();
        failed = false;
        if (stand(Duration.ZERO)) {
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

    /// Whether there is something to do that can be done.
    public boolean isWorking() {
      return locked(() -> line.contains(this)) && waitsFor.isEmpty();
    }

    /// @return whether it stands in the line now
    private boolean stand(Duration in) {
      if (left || closing || embedder.isEmpty()) {
        return false;
      }
      long at = ticker.nanos() + in.toNanos();
      woken = true;
      due = line.add(this) || at - due < 0 ? at : due;
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
        Optional<String> rests = work.rests();
        waitsFor = rests;
        int count = rests.isPresent() ? 0 : work.embed(model, BATCH);
        locked(() -> {
          done += count;
          if (rests.isPresent() || count > 0) {
            due = ticker.nanos() + (rests.isPresent() ? REST.toNanos() : 0);
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

    /// What is wrong with a model, or with an index, must not end the thread: others go on.
    private void failed(Throwable cause) {
      String why = String.valueOf(cause.getMessage());
      boolean known = waitsFor.equals(Optional.of(why));
      LOG.atLevel(known ? Level.DEBUG : Level.WARN)
          .log("embedding waits for its next backfill: {}", why);
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
      line.remove(this);
      waiting.forEach(how);
      waiting.clear();
    }

    private static MemoryException closed() {
      return new MemoryException(ErrorCode.CLOSED, "the workspace is closed; nothing is embedded");
    }

    /// Leaves the line; waits a while for the batch at hand.
    @Override
    public void close() {
      locked(() -> {
        left = true;
        leave(end -> end.completeExceptionally(closed()));
        return true;
      });
      try {
        if (batch.tryAcquire(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
          batch.release();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
