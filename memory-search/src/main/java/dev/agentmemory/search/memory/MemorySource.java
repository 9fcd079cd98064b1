package dev.agentmemory.search.memory;

import dev.agentmemory.types.MemoryId;
import java.util.List;

/// Where a search finds the curated memories of its workspace. Any thread may call it.
public interface MemorySource {

  /// Has no memories.
  MemorySource NONE =
      new MemorySource() {
        @Override
        public MemoryMatches find(MemoryQuestion question) {
          return MemoryMatches.NONE;
        }

        @Override
        public void accessed(List<MemoryId> shown) {}
      };

  /// Finds memories. Does not count as access.
  ///
  /// @return empty when none passes the filters, or none matches the query
  MemoryMatches find(MemoryQuestion question);

  /// Counts an access to each of these memories: an answer shows them.
  ///
  /// @param shown each once, not empty, under the ids that [#find] gave
  void accessed(List<MemoryId> shown);
}
