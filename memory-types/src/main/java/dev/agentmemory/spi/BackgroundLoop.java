package dev.agentmemory.spi;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.Condition;

/// Runs a step again and again on a daemon thread of its own, until it is closed. The step says how
/// long the thread waits for the next one. A step that throws is logged and does not end the loop.
public final class BackgroundLoop implements AutoCloseable {

  private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

  private final Step step;
  private final Thread thread;
  private final Mutex lock = new Mutex();
  private final Condition changed = lock.newCondition();
  private boolean woken;
  private boolean closing;

  /// What is done on the thread.
  public interface Step {

    /// @return how long to wait for the next step; [#wake] and [#close] cut that short. Zero or
    ///   less goes on at once
    Duration run() throws InterruptedException;
  }

  /// @param name of the thread
  public BackgroundLoop(String name, Step step) {
    this(name, Duration.ZERO, step);
  }

  /// @param name of the thread
  /// @param delay before the first step
  public BackgroundLoop(String name, Duration delay, Step step) {
    this(named(name), delay, step);
  }

  private BackgroundLoop(ThreadFactory threads, Duration delay, Step step) {
    this.step = step;
    this.thread = threads.newThread(() -> loop(delay));
  }

  /// A loop whose thread leaves the processors to others ([BackgroundPriority]).
  ///
  /// @param name of the thread
  public static BackgroundLoop ofLowPriority(String name, Step step) {
    return new BackgroundLoop(BackgroundPriority.of(named(name)), Duration.ZERO, step);
  }

  private static ThreadFactory named(String name) {
    return Thread.ofPlatform().name(name).daemon(true).factory();
  }

  /// Starts the thread; once.
  public void start() {
    thread.start();
  }

  /// Lets the next step begin without waiting any longer; also when a step runs now.
  public void wake() {
    try (var _ = lock.hold()) {
      woken = true;
      changed.signalAll();
    }
  }

  private void loop(Duration delay) {
    try {
      Duration wait = delay;
      while (rest(wait)) {
        wait = guarded();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Duration guarded() throws InterruptedException {
    try {
      return step.run();
    } catch (RuntimeException e) {
      // This module depends on the JDK only; the daemon passes the JDK's log on to its own.
      System.getLogger(BackgroundLoop.class.getName())
          .log(Level.ERROR, "a step of " + thread.getName() + " failed; trying again", e);
      return AFTER_FAILURE;
    }
  }

  /// @return whether there is to be another step
  private boolean rest(Duration atMost) throws InterruptedException {
    try (var _ = lock.hold()) {
      long nanos = atMost.toNanos();
      while (nanos > 0 && !woken && !closing) {
        nanos = changed.awaitNanos(nanos);
      }
      woken = false;
      return !closing;
    }
  }

  /// Lets the step that runs now end, however long that takes, and ends the thread. An interrupt
  /// does not cut that short; it is kept for the caller.
  @Override
  public void close() {
    end();
    join(thread);
  }

  /// Waits until a thread has ended. An interrupt does not cut that short; it is kept for the
  /// caller.
  public static void join(Thread thread) {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /// The same, but waits no longer than that.
  ///
  /// @throws InterruptedException when this thread is interrupted while it waits
  public void close(Duration atMost) throws InterruptedException {
    end();
    if (thread.isAlive()) {
      thread.join(atMost);
    }
  }

  private void end() {
    try (var _ = lock.hold()) {
      closing = true;
      changed.signalAll();
    }
  }
}
