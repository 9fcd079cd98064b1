package dev.agentmemory.api.recall;

import java.util.List;

/// What a deletion removed, or would remove.
///
/// @param count how many memories
/// @param first the first of them, at most [#SHOWN]
/// @param skipped how many memories cannot be read, so that it is not known whether they are meant;
///   0 when ids alone were given
public record DeletionReport(long count, List<MemoryRecord> first, long skipped) {

  public static final int SHOWN = 100;

  public DeletionReport {
    first = List.copyOf(first);
  }
}
