package dev.agentmemory.service.internal.share;

import dev.agentmemory.spi.Mutex;
import dev.agentmemory.spi.Ticker;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ThreadPoolExecutor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Divides the threads of a pool among clients.
///
/// Idea: each client has a queue of its own. The next call is one of the client that has the fewest
/// calls in progress and, among those, has used the threads least lately. A client that uses them
/// much gets all threads as long as no other client calls, and half of them, at least one, while
/// others do. So a call of a client that uses them little waits for the end of one call at most,
/// however many calls of others wait. The calls of a client that uses the threads much are made by
/// threads of a lower priority while others call.
///
/// If the queues are full together, the last call of the longest one is refused: a client with few
/// calls is never refused because of another one with many.
public final class FairThreads implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(FairThreads.class);

  /// Processor time counts half as much after that time.
  private static final Duration HALF_LIFE = Duration.ofSeconds(1);

  /// A client that has used more processor time lately uses the threads much. It is reached by a
  /// client that uses about a quarter of one processor.
  private static final Duration MUCH = Duration.ofMillis(400);

  /// A client that has more calls waiting uses the threads much, too. Its processor time alone does
  /// not tell: it falls below [#MUCH] while the client has threads of a lower priority.
  private static final int MANY_WAITING = 8;

  /// What a client begins with. Many new ones together would otherwise get all threads; it is less
  /// than [#MUCH] after half a second.
  private static final Duration NEW = Duration.ofMillis(550);

  /// For how long after a call of a client that uses the threads little the others get a part only.
  private static final Duration SHARED = Duration.ofSeconds(1);

  private final Ticker ticker;
  private final Ticker processorTime;
  private final ThreadPoolExecutor threads;
  private final ThreadPoolExecutor background;
  private final int size;
  private final int queue;
  private final int much;
  private final Mutex lock = new Mutex();

  // Guarded by the lock.
  private final Map<CallClient, Share> shares = new WeakHashMap<>();
  private final Set<Share> waiting = new LinkedHashSet<>();
  private final Set<Share> running = new LinkedHashSet<>();
  private int free;
  private int queued;
  private long turns;
  private long sharedUntil;
  private boolean closed;

  /// A call that waits.
  ///
  /// @param refused is run instead of the work if there is no room for it
  private record Task(Runnable work, Runnable refused) {}

  /// A call that may begin.
  ///
  /// @param background whether a thread of the lower priority makes it
  private record Turn(Runnable work, boolean background) {}

  private static final class Share {

    final Deque<Task> tasks = new ArrayDeque<>();
    int active;

    /// When it had its last turn; 0 for never.
    long turn;

    private double nanos = NEW.toNanos();
    private long at;

    Share(long now) {
      at = now;
    }

    void add(long used, long now) {
      nanos = lately(now) + used;
      at = now;
    }

    double lately(long now) {
      return nanos * Math.pow(0.5, (double) (now - at) / HALF_LIFE.toNanos());
    }
  }

  /// @param processorTime that this thread has used. The time of a clock would count against a
  ///   client how busy the machine is with others
  /// @param threads a pool of a fixed size with an unbounded queue, which stays empty. All of them
  ///   have been started: threads of the other pool, which give them work, would start them with
  ///   their own priority
  /// @param background a pool of the same size, whose threads may have a lower priority; it may be
  ///   the same pool
  /// @param queue the most calls that wait
  /// @param processors of the machine: clients that use the threads much get no more than half of
  ///   them while others call
  public FairThreads(
      Ticker ticker,
      Ticker processorTime,
      ThreadPoolExecutor threads,
      ThreadPoolExecutor background,
      int queue,
      int processors) {
    this.ticker = ticker;
    this.processorTime = processorTime;
    this.threads = threads;
    this.background = background;
    this.size = threads.getMaximumPoolSize();
    this.queue = queue;
    this.much = Math.max(1, Math.min(size, processors) / 2);
    this.free = size;
    this.sharedUntil = ticker.nanos();
  }

  /// Runs work for a client, now or later.
  ///
  /// @param refused is run instead of the work, now or later, if there is no room for it
  public void execute(CallClient client, Runnable work, Runnable refused) {
    Optional<Task> superfluous;
    try (var _ = lock.hold()) {
      superfluous = add(client, new Task(work, refused));
    }
    superfluous.ifPresent(task -> task.refused().run());
  }

  /// @return the call to refuse
  private Optional<Task> add(CallClient client, Task task) {
    if (closed) {
      return Optional.of(task);
    }
    long now = ticker.nanos();
    Share share = shares.computeIfAbsent(client, _ -> new Share(now));
    if (!usesMuch(share, now)) {
      sharedUntil = now + SHARED.toNanos();
    }
    share.tasks.add(task);
    waiting.add(share);
    queued++;
    while (free > 0 && start()) {
      free--;
    }
    return queued > queue ? Optional.of(longest(share)) : Optional.empty();
  }

  private boolean start() {
    Turn next = next();
    if (next == null) {
      return false;
    }
    begin(next);
    return true;
  }

  private void begin(Turn turn) {
    (turn.background() ? background : threads).execute(() -> work(turn));
  }

  /// Call this with the lock, if more calls wait than may.
  private Task longest(Share last) {
    Share longest =
        waiting.stream()
            .max(Comparator.comparingInt(share -> share.tasks.size()))
            .filter(share -> share.tasks.size() > last.tasks.size())
            .orElse(last);
    Task task = longest.tasks.removeLast();
    taken(longest);
    return task;
  }

  private void taken(Share share) {
    queued--;
    if (share.tasks.isEmpty()) {
      waiting.remove(share);
    }
  }

  /// Call this with the lock.
  ///
  /// @return null when no call may begin now
  private @Nullable Turn next() {
    long now = ticker.nanos();
    boolean shared = now - sharedUntil < 0;
    int most = shared ? much : size;
    boolean full =
        running.stream().filter(share -> usesMuch(share, now)).mapToInt(share -> share.active).sum()
            >= most;
    Optional<Share> chosen =
        waiting.stream()
            .filter(share -> !full || !usesMuch(share, now))
            .min(
                Comparator.<Share>comparingInt(share -> share.active)
                    .thenComparingDouble(share -> share.lately(now))
                    .thenComparingLong(share -> share.turn));
    if (chosen.isEmpty()) {
      return null;
    }
    Share share = chosen.get();
    boolean low = shared && usesMuch(share, now);
    Task task = share.tasks.removeFirst();
    taken(share);
    share.active++;
    share.turn = ++turns;
    running.add(share);
    return new Turn(() -> run(share, task), low);
  }

  private static boolean usesMuch(Share share, long now) {
    return share.tasks.size() > MANY_WAITING || share.lately(now) > MUCH.toNanos();
  }

  private void run(Share share, Task task) {
    long begin = processorTime.nanos();
    try {
      task.work().run();
    } finally {
      long used = processorTime.nanos() - begin;
      try (var _ = lock.hold()) {
        share.add(used, ticker.nanos());
        share.active--;
        if (share.active == 0) {
          running.remove(share);
        }
      }
    }
  }

  /// Works until no call may begin. Each end of a call lets others begin, so that threads which are
  /// free for want of a call that may begin are used again.
  private void work(Turn first) {
    Turn next = first;
    while (next != null && next.background() == first.background()) {
      try {
        next.work().run();
      } catch (RuntimeException | Error e) {
        // The thread has to go on: the next call has its turn already.
        LOG.error("a call failed without an answer", e);
      }
      next = following();
    }
    if (next != null) {
      begin(next);
    }
  }

  private @Nullable Turn following() {
    try (var _ = lock.hold()) {
      if (closed) {
        return null;
      }
      Turn next = next();
      if (next == null) {
        free++;
        return null;
      }
      while (free > 0 && start()) {
        free--;
      }
      return next;
    }
  }

  /// Whether a client uses the threads much, or is new.
  boolean usesMuch(CallClient client) {
    try (var _ = lock.hold()) {
      Share share = shares.get(client);
      return share == null || usesMuch(share, ticker.nanos());
    }
  }

  /// Whether no further call is taken.
  public boolean isClosed() {
    try (var _ = lock.hold()) {
      return closed;
    }
  }

  /// Interrupts the calls in progress, and drops those that wait.
  @Override
  public void close() {
    try (var _ = lock.hold()) {
      closed = true;
      waiting.clear();
      queued = 0;
    }
    threads.shutdownNow();
    background.shutdownNow();
  }
}
