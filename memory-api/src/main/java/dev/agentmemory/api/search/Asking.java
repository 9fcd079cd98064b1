package dev.agentmemory.api.search;

import dev.agentmemory.types.MemoryException;
import java.util.Optional;

/// What may be asked. Fields are named as callers over the wire spell them.
final class Asking {

  private Asking() {}

  /// @throws MemoryException `INVALID_FIELD` when it is blank or too long
  static void check(String query) {
    if (query.isBlank()) {
      throw MemoryException.invalid("query", "is empty; give at least one search term");
    }
    if (query.length() > SearchRequest.MAX_QUERY) {
      throw MemoryException.invalid(
          "query",
          "is "
              + query.length()
              + " characters long; shorten it to "
              + SearchRequest.MAX_QUERY
              + " at most");
    }
  }

  /// Refuses misleading filters and filters that match nothing. A search may derive such filters by
  /// narrowing a request, but a request must not contain them.
  ///
  /// @throws MemoryException `INVALID_FIELD`
  static void check(Filters filters) {
    Optional<MemoryException> empty =
        filters
            .after()
            .filter(after -> filters.before().filter(before -> !before.isAfter(after)).isPresent())
            .map(_ ->
                MemoryException.invalid(
                    "filters.before_ms",
                    "is not later than after_ms, so the range is empty; raise it"));
    if (empty.isPresent()) {
      throw empty.get();
    }
    filters.agent().ifPresent(agent -> checkName("filters.agent", agent));
    for (String tag : filters.tags()) {
      if (tag.indexOf(',') >= 0) {
        throw MemoryException.invalid(
            "filters.tags", "has a comma in `" + tag + "`; send each tag separately");
      }
      checkName("filters.tags", tag);
    }
  }

  private static void checkName(String field, String text) {
    if (text.isBlank()) {
      throw MemoryException.invalid(field, "is blank; send a name or omit the field");
    }
  }
}
