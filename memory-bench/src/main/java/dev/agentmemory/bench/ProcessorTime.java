package dev.agentmemory.bench;

import java.time.Duration;

/// Processor time of another process, all of its threads together, in steps of some milliseconds.
final class ProcessorTime {

  private final long pid;
  private final Duration start;

  private ProcessorTime(long pid, Duration start) {
    this.pid = pid;
    this.start = start;
  }

  /// Measures from now on.
  static ProcessorTime since(long pid) {
    return new ProcessorTime(pid, total(pid));
  }

  /// Microseconds since the process began.
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
            new IllegalStateException("the system does not tell the processor time of " + pid));
  }
}
