package dev.agentmemory.search;

import dev.agentmemory.api.search.Filters;
import dev.agentmemory.api.search.Kind;
import dev.agentmemory.api.search.SearchRequest;
import dev.agentmemory.search.internal.query.FilterMerge;
import dev.agentmemory.search.internal.query.Queries;
import dev.agentmemory.search.internal.query.ReadQuery;
import dev.agentmemory.types.WorkspaceName;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.Query;

/// Finds the one reason why an answer has no hits.
///
/// @param owner the workspace that asks, in a store that several share
record NothingFound(SearchIndex index, Queries queries, Optional<WorkspaceName> owner) {

  /// Why there is nothing on the page.
  String why(
      SearchRequest request,
      ReadQuery read,
      Filters filters,
      List<Found> found,
      List<Found> relevant) {
    if (!relevant.isEmpty()) {
      return request.offset() >= relevant.size()
          ? "there are only " + relevant.size() + " hits"
          : "the hits were deleted from the log meanwhile";
    }
    if (!found.isEmpty()) {
      double best = found.stream().mapToDouble(Found::relevance).max().orElse(0);
      return String.format(
          Locale.ROOT,
          "all %d hits are below the minimum relevance of %.2f; the best has %.2f",
          found.size(),
          request.minRelevance(),
          best);
    }
    String partly =
        index.owesRebuild() ? "; the index is being rebuilt and is still incomplete" : "";
    if (index.read(searcher -> searcher.count(Queries.events(owner))) == 0) {
      return index.owesRebuild()
          ? "the index is being rebuilt and is still empty"
          : "the index is empty";
    }
    return unmatched(read, filters) + partly;
  }

  private String unmatched(ReadQuery read, Filters filters) {
    boolean filtered =
        !filters.equals(Filters.NONE) || !read.required().isEmpty() || !read.excluded().isEmpty();
    if (filtered && !anyPasses(read, filters)) {
      return !read.required().isEmpty() && anyPasses(read.lenient(), filters)
          ? "nothing contains " + quoted(read.required()) + " literally"
          : "nothing matches the filters";
    }
    if (read.text().isBlank() && read.prefixes().isEmpty()) {
      return "the query contains no search terms";
    }
    return filtered
        ? "nothing that matches the filters contains a word of the query"
        : "nothing contains a word of the query";
  }

  private static String quoted(List<String> phrases) {
    return phrases.stream()
        .map(phrase -> '"' + phrase.strip() + '"')
        .collect(Collectors.joining(" and "));
  }

  private boolean anyPasses(ReadQuery read, Filters filters) {
    Set<Kind> kinds = FilterMerge.kinds(filters);
    BooleanQuery.Builder events = new BooleanQuery.Builder();
    events.add(Queries.events(owner), BooleanClause.Occur.FILTER);
    queries
        .question(read, filters, false, Optional.empty(), owner)
        .filter()
        .ifPresent(filter -> events.add(filter, BooleanClause.Occur.FILTER));
    Query summaries = queries.summariesThatPass(read, filters, kinds, owner).build();
    return index.read(searcher ->
        (kinds.contains(Kind.EVENT) && searcher.count(events.build()) > 0)
            || searcher.count(summaries) > 0);
  }
}
