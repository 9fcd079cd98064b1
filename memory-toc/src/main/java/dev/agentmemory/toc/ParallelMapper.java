package dev.agentmemory.toc;

import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/// Does independent pieces of work side by side: counting tokens, summarising a segment, choosing
/// the bullets of a period, indexing memories. What is handed to it must be safe on several
/// threads.
public interface ParallelMapper {

  /// Applies the work to every item.
  ///
  /// @return the results in the order of the items
  <T, R> List<R> map(List<T> items, Function<T, R> work);

  /// Begins a piece of work beside the caller, if there is a thread for it.
  ///
  /// @return waits for the result, and does the work itself if it has not begun; what the work has
  ///   thrown is thrown. To be called once
  <R> Supplier<R> begin(Supplier<R> work);

  /// No parallelism: everything runs on the calling thread.
  ParallelMapper ALONE =
      new ParallelMapper() {
        @Override
        public <T, R> List<R> map(List<T> items, Function<T, R> work) {
          return items.stream().map(work).toList();
        }

        @Override
        public <R> Supplier<R> begin(Supplier<R> work) {
          return work;
        }
      };
}
