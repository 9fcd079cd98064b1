package dev.agentmemory.api.recall;

import java.util.List;

/// What a deletion removed, or would remove.
///
/// @param count how many memories
/// @param first the first of them, at most [#SHOWN]
public record DeletionReport(long count, List<MemoryRecord> first) {

  public static final int SHOWN = 100;

  public DeletionReport {
    first = List.copyOf(first);
  }
}
