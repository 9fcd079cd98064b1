package dev.agentmemory.bench.daemon;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Samples the anonymous memory of a process, without mapped files. Linux only.
public final class AnonymousMemory implements AutoCloseable {

  private static final int SAMPLE_MILLIS = 50;
  private static final String FIELD = "RssAnon:";
  private static final double KIB_IN_MIB = 1024;

  private final Path status;
  private final Thread watcher;
  private volatile long peakKiB;
  private volatile boolean over;

  private AnonymousMemory(long pid) {
    this.status = status(pid);
    this.watcher = Thread.ofPlatform().daemon().name("anonymous-memory").unstarted(this::watch);
  }

  public static AnonymousMemory watch(long pid) {
    var _ = mib(pid);
    var memory = new AnonymousMemory(pid);
    memory.sample();
    memory.watcher.start();
    return memory;
  }

  public double peakMiB() {
    return peakKiB / KIB_IN_MIB;
  }

  /// The current anonymous memory of a process.
  ///
  /// @throws IllegalStateException where the system does not report it
  public static double mib(long pid) {
    Path status = status(pid);
    try {
      long kib = kib(status);
      if (kib == 0) {
        throw new IllegalStateException("no " + FIELD + " in " + status);
      }
      return kib / KIB_IN_MIB;
    } catch (IOException e) {
      throw new IllegalStateException("this benchmark needs Linux", e);
    }
  }

  private static Path status(long pid) {
    return Path.of("/proc", Long.toString(pid), "status");
  }

  private void watch() {
    while (!over) {
      sample();
      try {
        Thread.sleep(SAMPLE_MILLIS);
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  /// A process that has ended has no memory.
  private void sample() {
    try {
      peakKiB = Math.max(peakKiB, kib(status));
    } catch (IOException e) {
      over = true;
    }
  }

  private static long kib(Path status) throws IOException {
    for (String line : Files.readAllLines(status)) {
      if (line.startsWith(FIELD)) {
        return Long.parseLong(line.substring(FIELD.length()).replace("kB", "").strip());
      }
    }
    return 0;
  }

  @Override
  public void close() {
    over = true;
    watcher.interrupt();
  }
}
