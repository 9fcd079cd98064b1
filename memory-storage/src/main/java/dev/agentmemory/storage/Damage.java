package dev.agentmemory.storage;

import dev.agentmemory.types.MemoryException;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Counts records that could not be read and were skipped. Says so once: a damaged record in a busy
/// range would fill the log.
final class Damage {

  private static final Logger log = LoggerFactory.getLogger(Damage.class);

  private final AtomicLong records = new AtomicLong();

  void found(Family family, byte[] key, MemoryException why) {
    if (records.getAndIncrement() == 0) {
      log.error(
          "skipped {} in {}: {}; `memory doctor` lists all such records",
          Keys.text(key),
          family.table(),
          why.getMessage());
    }
  }

  long records() {
    return records.get();
  }
}
