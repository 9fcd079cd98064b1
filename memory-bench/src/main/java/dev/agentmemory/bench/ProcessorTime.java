package dev.agentmemory.bench;

import java.time.Duration;

/// Processor time of another process, for all of its threads, with a resolution of some
/// milliseconds.
final class ProcessorTime {

  private final long pid;
  private final Duration start;

  private ProcessorTime(long pid, Duration start) {
    this.pid = pid;
    this.start = start;
  }

  /// Starts the measurement.
  static ProcessorTime since(long pid) {
    return new ProcessorTime(pid, total(pid));
  }

  /// Microseconds since the process started.
  static double micros(long pid) {
    return total(pid).toNanos() / 1e3;
  }

  double micros() {
    return total(pid).minus(start).toNanos() / 1e3;
  }

  private static Duration total(long pid) {
    return ProcessHandle.of(pid)
        .flatMap(process -> process.info().totalCpuDuration())
        .orElseThrow(() ->
            new IllegalStateException("the system does not report the processor time of " + pid));
  }
}
