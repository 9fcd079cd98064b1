package dev.agentmemory.daemon.memory;

import dev.agentmemory.spi.measure.ResidentMemory;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.ObjectName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The memory of this process.
final class ProcessMemory {

  private static final Logger LOG = LoggerFactory.getLogger(ProcessMemory.class);

  private ProcessMemory() {}

  /// Bytes of memory that belong to no file; where the system does not say it, those of the heap
  /// and of direct memory.
  static long bytes() {
    return ResidentMemory.anonymousBytes().orElseGet(ProcessMemory::bytesOfJava);
  }

  private static long bytesOfJava() {
    long direct =
        ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
            .mapToLong(BufferPoolMXBean::getTotalCapacity)
            .sum();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getCommitted() + direct;
  }

  /// Collects the heap, and gives back what native code has freed then.
  static void collect() {
    System.gc();
    trim();
  }

  /// Gives back what native code has freed and the C library holds.
  static void trim() {
    try {
      var _ =
          ManagementFactory.getPlatformMBeanServer()
              .invoke(
                  new ObjectName("com.sun.management:type=DiagnosticCommand"),
                  "systemTrimNativeHeap",
                  new Object[0],
                  new String[0]);
    } catch (JMException e) {
      LOG.debug("the C library cannot be told to give memory back", e);
    }
  }
}
