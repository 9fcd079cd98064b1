package dev.agentmemory.pipeline;

import dev.agentmemory.spi.BackgroundLoop;
import dev.agentmemory.spi.Deferral;
import dev.agentmemory.spi.Mutex;
import dev.agentmemory.spi.Projection;
import dev.agentmemory.spi.Schedule;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.DeadLetter;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.store.OutboxEntry;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/// Passes entries of the outbox to one projection, in order, on its own thread.
///
/// Idea: the projection stores the cursor together with its results, so the worker keeps no state.
/// It reads the entries after that cursor, and reads them again after any failure.
///
/// A batch that fails is tried entry by entry. A single entry that keeps failing is parked as a
/// dead letter and the worker continues. Trouble of the store (a full queue, a full disk, a read or
/// write that failed) is transient: the worker waits and retries without a limit. A broken
/// invariant stops the worker and shows in [#problem].
///
/// While its work is deferred, the worker takes no batch, unless too many entries wait. The
/// projection is maintained all the same.
public final class OutboxWorker implements Schedule.Pausable, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(OutboxWorker.class);
  private static final Duration IDLE = Duration.ofSeconds(1);
  private static final Duration POLL = Duration.ofMillis(50);

  /// A burst is more than this part of a batch between two polls. A whole batch would not be
  /// reached when busy workers slow ingest down.
  private static final int BURST_PART = 4;

  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);
  private static final Duration SOON = Duration.ofMillis(100);

  /// Until it is resumed or closed.
  private static final Duration FOREVER = Duration.ofDays(1);

  private final InstantSource clock;
  private final MemoryStore store;
  private final Projection projection;
  private final WorkerConfig config;
  private final Deferral deferral;
  private final Mutex turn;
  private final Listener listener;
  private final BackgroundLoop loop;
  private final Mutex lock = new Mutex();
  private @Nullable Thread waiting;
  private volatile boolean paused;
  private volatile boolean closing;
  private volatile @Nullable String problem;
  private volatile Instant upToDate;
  private int failures;
  private long seenHead;
  private boolean maintainSoon;

  /// Is notified of the worker's progress, on the worker's thread. Must return quickly.
  public interface Listener {

    /// A batch was applied.
    default void progressed() {}

    /// Entries of the outbox could not be read and were skipped. Their events have to be found in
    /// another way.
    default void passedOver(long entries) {}

    /// The worker will do nothing more until the daemon is started again.
    default void stopped(String problem) {}
  }

  /// A worker whose work is never deferred.
  public OutboxWorker(
      InstantSource clock,
      MemoryStore store,
      Projection projection,
      WorkerConfig config,
      Listener listener) {
    this(clock, store, projection, config, Deferral.NONE, new Mutex(), listener);
  }

  /// @param deferral how long the worker takes no batch
  /// @param turn held while few entries are applied; the workers of a store have the same
  public OutboxWorker(
      InstantSource clock,
      MemoryStore store,
      Projection projection,
      WorkerConfig config,
      Deferral deferral,
      Mutex turn,
      Listener listener) {
    this.clock = clock;
    this.store = store;
    this.projection = projection;
    this.config = config;
    this.deferral = deferral;
    this.turn = turn;
    this.listener = listener;
    this.upToDate = clock.instant();
    this.loop = new BackgroundLoop("memory-outbox-" + projection.name(), this::turn);
  }

  public void start() {
    loop.start();
  }

  /// Finishes the current batch and takes no other until [#resume].
  @Override
  public void pause() {
    paused = true;
  }

  @Override
  public void resume() {
    paused = false;
    loop.wake();
  }

  /// Why the worker has stopped; empty while it runs.
  public Optional<String> problem() {
    return Optional.ofNullable(problem);
  }

  /// How many entries the projection has not applied yet.
  public long behind() {
    return Math.max(0, store.outbox().head() - projection.cursor());
  }

  /// How long entries have been waiting: the time since the projection had applied all of them, as
  /// far as the worker has looked; zero while it has. A worker that has nothing to do looks once a
  /// second.
  public Duration delay() {
    if (noteProgress()) {
      return Duration.ZERO;
    }
    Duration since = Duration.between(upToDate, clock.instant());
    return since.isNegative() ? Duration.ZERO : since;
  }

  /// Finishes the current batch and ends the thread.
  @Override
  public void close() {
    closing = true;
    try (var _ = lock.hold()) {
      if (waiting != null) {
        waiting.interrupt();
      }
    }
    loop.close();
  }

  /// Processes at most one batch.
  ///
  /// @return whether there were entries
  boolean step() {
    long cursor = projection.cursor();
    long head = store.outbox().head();
    List<OutboxEntry> batch = store.outbox().entries(cursor, config.batch());
    if (batch.isEmpty()) {
      return passOver(cursor, head);
    }
    long last = batch.getLast().sequence();
    if (last - cursor != batch.size()) {
      reportGaps(cursor, last, batch.size());
    }
    int done = 0;
    while (done < batch.size() && !closing) {
      done += applySome(batch.subList(done, batch.size()));
    }
    return true;
  }

  /// Skips entries of which none can be read. Waiting for them would never end.
  private boolean passOver(long cursor, long head) {
    if (head <= Math.max(cursor, store.stats().outboxTail() - 1)) {
      return false;
    }
    reportGaps(cursor, head, 0);
    projection.passOver(head);
    return true;
  }

  private void reportGaps(long cursor, long last, int read) {
    long gaps = last - Math.max(cursor, store.stats().outboxTail() - 1) - read;
    if (gaps > 0) {
      LOG.error(
          "worker {} skips {} unreadable entries up to {}; see `memory doctor`",
          projection.name(),
          gaps,
          last);
      listener.passedOver(gaps);
    }
  }

  /// @return how many of the entries were applied or stored as dead letters
  private int applySome(List<OutboxEntry> batch) {
    try {
      int applied = projection.apply(batch);
      listener.progressed();
      return applied;
    } catch (MemoryException e) {
      if (isTemporary(e)) {
        throw e;
      }
      oneByOne(batch, e);
    } catch (RuntimeException e) {
      oneByOne(batch, e);
    }
    return batch.size();
  }

  private void oneByOne(List<OutboxEntry> batch, RuntimeException cause) {
    LOG.warn("a batch of {} failed, trying its entries one by one", batch.size(), cause);
    for (OutboxEntry entry : batch) {
      applyOrPark(entry);
      listener.progressed();
    }
  }

  private void applyOrPark(OutboxEntry entry) {
    for (int attempt = 1; ; attempt++) {
      try {
        projection.apply(List.of(entry));
        return;
      } catch (RuntimeException e) {
        if (e instanceof MemoryException known && isTemporary(known)) {
          throw e;
        }
        if (attempt >= config.attempts()) {
          park(entry, e, attempt);
          return;
        }
      }
    }
  }

  private void park(OutboxEntry entry, RuntimeException error, int attempts) {
    LoggingEventBuilder line = LOG.atError().setCause(error);
    session(entry)
        .map(id -> line.addKeyValue("session_id", id))
        .orElse(line)
        .log("storing outbox entry {} of {} as a dead letter", entry.sequence(), projection.name());
    String reason = error.getClass().getSimpleName() + ": " + error.getMessage();
    var letter = new DeadLetter(projection.name(), entry, reason, attempts, clock.instant());
    // After a crash in between it is stored again, under the same key.
    store.commit(Commit.of(new Change.PutDeadLetter(letter)));
    projection.passOver(entry.sequence());
  }

  private Optional<String> session(OutboxEntry entry) {
    try {
      return store.events().events(List.of(entry.event())).stream()
          .map(event -> event.session().value())
          .findFirst();
    } catch (MemoryException e) {
      // The unreadable event may be the reason why the entry cannot be applied.
      return Optional.empty();
    }
  }

  private void stopped(Throwable cause) {
    LOG.error("worker {} stopped", projection.name(), cause);
    String why =
        "worker %s stopped: %s; restart the daemon after fixing the cause"
            .formatted(projection.name(), cause);
    problem = why;
    listener.stopped(why);
  }

  private Duration turn() throws InterruptedException {
    if (paused || problem != null) {
      return FOREVER;
    }
    try {
      Duration deferred = deferredFor();
      if (deferred.isZero()) {
        follow();
      } else {
        maintain();
      }
      failures = 0;
      Duration next = maintainSoon ? SOON : IDLE;
      return deferred.compareTo(next) < 0 ? deferred : next;
    } catch (MemoryException e) {
      if (isTemporary(e)) {
        failures++;
        if (failures == 1) {
          LOG.warn("worker {} waits: {}", projection.name(), e.getMessage());
        }
        return config.pauseAfter(failures);
      }
      if (e.code() != ErrorCode.CLOSED) {
        stopped(e);
      }
    } catch (RuntimeException | Error e) {
      stopped(e);
    }
    return FOREVER;
  }

  /// How long to take no batch. A backlog that has become too large is not deferred any longer.
  private Duration deferredFor() {
    Duration left = deferral.left();
    boolean tooFar =
        !left.isZero() && store.outbox().head() - projection.cursor() > config.mostBehind();
    return tooFar ? Duration.ZERO : left;
  }

  private void follow() throws InterruptedException {
    long cursor = projection.cursor();
    if (awaitMore(cursor, maintainSoon ? SOON : IDLE)) {
      awaitMore(cursor + config.batch() - 1, config.linger());
      awaitEndOfBurst();
      if (paused || !deferredFor().isZero()) {
        return;
      }
      takeBatch(seenHead - cursor);
    }
    var _ = noteProgress();
    maintain();
  }

  /// Few entries come from callers who are at work: workers apply them one after the other, so that
  /// calls find a free processor. All of them work off a backlog at once.
  private void takeBatch(long waiting) {
    if (waiting > config.batch() / BURST_PART) {
      step();
      return;
    }
    try (var _ = turn.hold()) {
      step();
    }
  }

  /// @return whether all entries are applied
  private boolean noteProgress() {
    boolean done = behind() == 0;
    if (done) {
      upToDate = clock.instant();
    }
    return done;
  }

  private void maintain() {
    maintainSoon = !closing && projection.maintain();
  }

  /// Waits for entries. Only [#close] ends the wait early, by an interrupt.
  private boolean awaitMore(long after, Duration atMost) throws InterruptedException {
    if (!setWaiting(Thread.currentThread())) {
      return false;
    }
    try {
      return store.outbox().await(after, atMost);
    } finally {
      setWaiting(null);
    }
  }

  /// @return whether the worker goes on
  private boolean setWaiting(@Nullable Thread thread) {
    try (var _ = lock.hold()) {
      waiting = closing ? null : thread;
      return !closing;
    }
  }

  /// Waits until an ingest burst ends. The first poll compares with the last one before the current
  /// batch, so entries that came in while the batch was applied count.
  private void awaitEndOfBurst() throws InterruptedException {
    long waited = 0;
    long before = seenHead;
    seenHead = store.outbox().head();
    while (seenHead - before > config.batch() / BURST_PART
        && waited < LONGEST_PAUSE.toNanos()
        && !closing) {
      // For a time, not for entries.
      awaitMore(Long.MAX_VALUE, POLL);
      waited += POLL.toNanos();
      before = seenHead;
      seenHead = store.outbox().head();
    }
  }

  /// Whether the store caused the failure and not the entry, so that a retry helps.
  private static boolean isTemporary(MemoryException e) {
    return switch (e.code().kind()) {
      case BUSY -> true;
      case UNAVAILABLE -> e.code() != ErrorCode.CLOSED;
      case CALLER, MISSING, CONFLICT, CORRUPT, BUG -> false;
    };
  }
}
