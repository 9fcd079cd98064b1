package dev.agentmemory.daemon;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps health in line with what works: problems come and go by themselves, such as a full disk.
/// Looks once a second and tells changes only.
final class HealthWatch implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(HealthWatch.class);

  private final Supplier<List<String>> problems;
  private final Consumer<Boolean> serving;
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Thread thread;
  private List<String> known = List.of();

  private HealthWatch(Supplier<List<String>> problems, Consumer<Boolean> serving) {
    this.problems = problems;
    this.serving = serving;
    this.thread = Thread.ofPlatform().name("memory-health").daemon(true).unstarted(this::run);
  }

  /// @param serving is told whether calls are served, true at first
  static HealthWatch start(Supplier<List<String>> problems, Consumer<Boolean> serving) {
    var watch = new HealthWatch(problems, serving);
    watch.thread.start();
    return watch;
  }

  @Override
  public void close() {
    closing.countDown();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    try {
      while (!closing.await(1, TimeUnit.SECONDS)) {
        guardedLook();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// One look that fails must not leave health as it was for ever.
  private void guardedLook() {
    try {
      look();
    } catch (RuntimeException e) {
      LOG.error("could not look how the daemon is doing", e);
    }
  }

  private void look() {
    List<String> now = problems.get();
    // A part that stops tells so itself, so what is known may be told already; that does no harm.
    serving.accept(now.isEmpty());
    if (now.isEmpty() != known.isEmpty()) {
      if (now.isEmpty()) {
        LOG.info("all is well again");
      } else {
        LOG.error("not serving: {}", String.join("; ", now));
      }
    }
    known = now;
  }
}
