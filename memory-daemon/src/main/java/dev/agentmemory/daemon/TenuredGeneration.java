package dev.agentmemory.daemon;

import java.lang.management.ManagementFactory;

/// The old generation of the serial collector. With any other collector, which cleans up by itself,
/// none of it is in use.
final class TenuredGeneration implements OldGeneration {

  private static final String POOL = "Tenured Gen";

  @Override
  public long used() {
    return ManagementFactory.getMemoryPoolMXBeans().stream()
        .filter(pool -> pool.getName().equals(POOL))
        .mapToLong(pool -> pool.getUsage().getUsed())
        .sum();
  }

  @Override
  public void collect() {
    System.gc();
  }
}
