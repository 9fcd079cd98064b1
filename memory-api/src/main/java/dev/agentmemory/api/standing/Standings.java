package dev.agentmemory.api.standing;

import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.api.recall.MemoryFilter;
import dev.agentmemory.api.recall.MemoryPage;
import dev.agentmemory.types.MemoryId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Shows memories to a person who looks into them. Nothing here counts as access.
public interface Standings {

  /// Most memories of a call.
  int MOST = 1000;

  /// Where memories stand. Those that do not exist or cannot be read are left out; the id of a
  /// memory that was merged gives its survivor.
  ///
  /// @param ids at most [#MOST]
  /// @param asOf when; empty: now. Reads after that time do not count
  List<MemoryStanding> of(List<MemoryId> ids, Optional<Instant> asOf);

  /// Lists the memories that were true at a time, the latest first, with what they say now. Those
  /// that were deleted since are not among them.
  ///
  /// @param filter with `superseded` also those that had been replaced by then
  /// @param page as for [dev.agentmemory.api.recall.Memories#list]
  MemoryPage list(MemoryFilter filter, Instant asOf, PageRequest page);
}
