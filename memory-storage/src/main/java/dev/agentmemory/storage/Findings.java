package dev.agentmemory.storage;

import dev.agentmemory.store.Finding;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// What a check has found so far.
final class Findings {

  private final int limit;
  private final Runnable between;
  private final List<Finding> found = new ArrayList<>();

  Findings(int limit, Runnable between) {
    this.limit = limit;
    this.between = between;
  }

  void demand(boolean holds, Family family, Object key, String problem) {
    if (!holds && found.size() < limit) {
      found.add(new Finding(family.table(), key.toString(), problem));
    }
  }

  /// Decodes a record; one that cannot be read is a finding.
  <T> Optional<T> readable(Family family, byte[] key, Supplier<T> decoding) {
    try {
      return Optional.of(decoding.get());
    } catch (MemoryException e) {
      if (e.code() != ErrorCode.CORRUPT_RECORD) {
        throw e;
      }
      demand(false, family, Keys.text(key), "cannot be read: " + e.getMessage());
      return Optional.empty();
    }
  }

  /// To be asked after every record.
  ///
  /// @return whether it is worth going on
  boolean more() {
    between.run();
    return found.size() < limit;
  }

  List<Finding> list() {
    return List.copyOf(found);
  }
}
