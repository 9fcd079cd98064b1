package dev.agentmemory.api.page;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/// One page of a list.
///
/// @param token asks for the next page ([PageRequest#after]); empty on the last one
public record Page<T>(List<T> items, String token) {

  public Page {
    items = List.copyOf(items);
  }

  /// A page of what was read, which is one item more than the page takes when another page follows.
  ///
  /// @param limit most items of the page
  /// @param token of the page behind an item
  public static <T> Page<T> of(List<T> read, int limit, Function<T, String> token) {
    return read.size() <= limit
        ? new Page<>(read, "")
        : new Page<>(read.subList(0, limit), token.apply(read.get(limit - 1)));
  }

  /// The same items in another form.
  public <U> Page<U> map(Function<T, U> form) {
    return new Page<>(items.stream().map(form).toList(), token);
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

  /// The token, if there is another page.
  public Optional<String> next() {
    return Optional.of(token).filter(text -> !text.isEmpty());
  }

  /// Whether there is another page.
  public boolean hasNext() {
    return !token.isEmpty();
  }
}
