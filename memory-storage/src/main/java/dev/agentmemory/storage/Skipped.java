package dev.agentmemory.storage;

import dev.agentmemory.types.MemoryException;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Counts records that could not be read and were left out. Says so once for each: a damaged record
/// in a busy range would fill the log.
final class Skipped implements Damage {

  private static final Logger log = LoggerFactory.getLogger(Skipped.class);
  private static final int MOST_PLACES = 10_000;

  private final ReentrantLock lock = new ReentrantLock();
  private final Set<String> places = new HashSet<>();

  @Override
  public void skipped(Family family, String place, MemoryException why) {
    if (isNew(family.table() + " " + place)) {
      log.error(
          "left out {} in {}: {}; `memory doctor` lists all such records",
          place,
          family.table(),
          why.getMessage());
    }
  }

  /// How many different places were left out so far.
  long places() {
    lock.lock();
    try {
      return places.size();
    } finally {
      lock.unlock();
    }
  }

  private boolean isNew(String place) {
    lock.lock();
    try {
      return places.size() < MOST_PLACES && places.add(place);
    } finally {
      lock.unlock();
    }
  }
}
