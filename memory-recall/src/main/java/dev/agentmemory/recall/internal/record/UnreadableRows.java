package dev.agentmemory.recall.internal.record;

import dev.agentmemory.types.MemoryException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Rows that were passed over because they cannot be read or their checksum does not match. Each is
/// logged once.
public final class UnreadableRows {

  private static final Logger LOG = LoggerFactory.getLogger(UnreadableRows.class);

  private final Set<String> keys = ConcurrentHashMap.newKeySet();

  public void add(String key, MemoryException why) {
    if (keys.add(key)) {
      LOG.error("row {} is passed over: {}", key, why.getMessage());
    }
  }

  /// How many different rows.
  public long count() {
    return keys.size();
  }
}
