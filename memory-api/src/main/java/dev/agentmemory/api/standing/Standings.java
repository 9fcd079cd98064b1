package dev.agentmemory.api.standing;

import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.api.recall.MemoryFilter;
import dev.agentmemory.api.recall.MemoryPage;
import java.time.Instant;
import java.util.List;

/// Shows memories to a person who looks into them. Nothing here counts as access.
public interface Standings {

  /// Where memories stand. Those that do not exist or cannot be read are left out; the id of a
  /// memory that was merged gives its survivor.
  List<MemoryStanding> of(StandingQuery query);

  /// Lists the memories that were true at a time, the latest first, with what they say now. Those
  /// that were deleted since are not among them.
  ///
  /// @param filter with `superseded` also those that had been replaced by then
  /// @param page as for [dev.agentmemory.api.recall.Memories#list]
  MemoryPage list(MemoryFilter filter, Instant asOf, PageRequest page);
}
