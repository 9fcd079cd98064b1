package dev.agentmemory.api;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/// One page of a list.
///
/// @param token asks for the next page ([PageRequest#after]); empty on the last one
public record Page<T>(List<T> items, String token) {

  public Page {
    items = List.copyOf(items);
    Objects.requireNonNull(token, "token");
  }

  /// The items of a list from a page on, page by page as they are needed.
  ///
  /// @param read reads a page
  public static <T> Stream<T> stream(PageRequest first, Function<PageRequest, Page<T>> read) {
    return Stream.iterate(
            Optional.of(read.apply(first)),
            Optional::isPresent,
            page -> page.filter(Page::hasNext).map(last -> read.apply(first.after(last))))
        .flatMap(page -> page.orElseThrow().items().stream());
  }

  /// Whether there is another page.
  public boolean hasNext() {
    return !token.isEmpty();
  }
}
