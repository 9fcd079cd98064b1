package dev.agentmemory.toc;

import java.util.List;
import java.util.function.Function;

/// Does independent pieces of work side by side. What is handed to it must not touch shared state:
/// counting tokens, summarising a segment, choosing the bullets of a period.
public interface ParallelMapper {

  /// Applies the work to every item.
  ///
  /// @return the results in the order of the items
  <T, R> List<R> map(List<T> items, Function<T, R> work);

  /// No parallelism: everything runs on the calling thread.
  ParallelMapper ALONE =
      new ParallelMapper() {
        @Override
        public <T, R> List<R> map(List<T> items, Function<T, R> work) {
          return items.stream().map(work).toList();
        }
      };
}
