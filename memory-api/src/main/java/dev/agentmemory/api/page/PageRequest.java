package dev.agentmemory.api.page;

import dev.agentmemory.types.MemoryException;
import java.util.Optional;
import java.util.function.Function;

/// Which page of a list is asked for.
///
/// @param token of the page before ([Page#token]); empty for the first page
/// @param limit most items of the page; 0 is the method's default
public record PageRequest(String token, int limit) {

  /// What errors call the token.
  public static final String TOKEN = "continuation_token";

  private static final PageRequest FIRST = new PageRequest("", 0);

  public PageRequest {
    if (limit < 0) {
      throw MemoryException.invalid("limit", "is " + limit + "; expected 0 or more");
    }
  }

  /// The first page, of the default size.
  public static PageRequest first() {
    return FIRST;
  }

  /// The first page, of a size.
  public static PageRequest of(int limit) {
    return new PageRequest("", limit);
  }

  /// The page behind another one, of the same size.
  public PageRequest after(Page<?> page) {
    return new PageRequest(page.token(), limit);
  }

  /// Whether it is the first page.
  public boolean isFirst() {
    return token.isEmpty();
  }

  /// The place that the token stands for; empty for the first page.
  ///
  /// @param read reads a token
  public <T> Optional<T> place(Function<String, T> read) {
    return isFirst() ? Optional.empty() : Optional.of(read.apply(token));
  }

  /// The size of the page.
  ///
  /// @param byDefault when none is asked for
  /// @param most the upper bound of what is asked for
  public int limit(int byDefault, int most) {
    return limit == 0 ? byDefault : Math.min(limit, most);
  }
}
