package dev.agentmemory.bench.daemon;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/// Processor time of another process, for all of its threads, with a resolution of some
/// milliseconds.
public final class ProcessorTime {

  /// The place of `cutime` among the fields after the name; `cstime` follows.
  private static final int CUTIME = 13;

  private static final double MICROS_IN_TICK = 10_000;

  private final long pid;
  private final Duration start;

  private ProcessorTime(long pid, Duration start) {
    this.pid = pid;
    this.start = start;
  }

  /// Starts the measurement.
  public static ProcessorTime since(long pid) {
    return new ProcessorTime(pid, total(pid));
  }

  /// Microseconds since the process started.
  public static double micros(long pid) {
    return total(pid).toNanos() / 1e3;
  }

  /// Microseconds of all processes that this one has started and that have ended. Linux only.
  public static double endedChildrenMicros() throws IOException {
    return endedChildrenMicros(Files.readString(Path.of("/proc/self/stat")));
  }

  /// @param stat in the format of `/proc/PID/stat`: the second field is a name in brackets, which
  ///   may itself hold spaces and brackets
  static double endedChildrenMicros(String stat) {
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    long ticks = Long.parseLong(fields[CUTIME]) + Long.parseLong(fields[CUTIME + 1]);
    return ticks * MICROS_IN_TICK;
  }

  public double micros() {
    return total(pid).minus(start).toNanos() / 1e3;
  }

  private static Duration total(long pid) {
    return ProcessHandle.of(pid)
        .flatMap(process -> process.info().totalCpuDuration())
        .orElseThrow(() ->
            new IllegalStateException("the system does not report the processor time of " + pid));
  }
}
