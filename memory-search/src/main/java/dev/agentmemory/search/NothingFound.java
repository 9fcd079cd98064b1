package dev.agentmemory.search;

import dev.agentmemory.api.search.Filters;
import dev.agentmemory.api.search.HitKind;
import dev.agentmemory.api.search.SearchRequest;
import dev.agentmemory.search.internal.index.IndexView;
import dev.agentmemory.search.internal.query.FilterMerge;
import dev.agentmemory.search.internal.query.Queries;
import dev.agentmemory.search.internal.query.Question;
import dev.agentmemory.search.internal.query.ReadQuery;
import dev.agentmemory.search.internal.rank.Found;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// Finds the one reason why an answer has no hits.
record NothingFound(IndexView index, Queries queries) {

  /// Why there is nothing on the page.
  String why(Question question, List<Found> found, List<Found> relevant) {
    SearchRequest request = question.request();
    if (!relevant.isEmpty()) {
      return request.offset() >= relevant.size()
          ? "there are only " + relevant.size() + " hits"
          : "the hits were deleted from the log meanwhile";
    }
    if (!found.isEmpty()) {
      double best = best(found);
      boolean memoriesAlone = found.stream().allMatch(one -> one.kind() == HitKind.MEMORY);
      return best < request.threshold().best() && !memoriesAlone
          ? String.format(
              Locale.ROOT,
              "none of %d hits has the relevance of %.2f that an answer needs; the best has %.2f",
              found.size(),
              request.threshold().best(),
              best)
          : String.format(
              Locale.ROOT,
              "all %d hits are below the minimum relevance of %.2f; the best has %.2f",
              found.size(),
              request.threshold().hit(),
              found.stream().mapToDouble(Found::relevance).max().orElse(0));
    }
    if (FilterMerge.isOfMemories(question.filters())) {
      return "no memory matches";
    }
    boolean partial = !index.isComplete();
    if (index.read(searcher -> searcher.count(Queries.allEvents(question.owner()))) == 0) {
      return partial ? "the index is being rebuilt and is still empty" : "the index is empty";
    }
    return unmatched(question)
        + (partial ? "; the index is being rebuilt and is still incomplete" : "");
  }

  /// The relevance of the most relevant event or summary; 0 when there is none.
  static double best(List<Found> found) {
    return found.stream()
        .filter(one -> one.kind() != HitKind.MEMORY)
        .mapToDouble(Found::relevance)
        .max()
        .orElse(0);
  }

  private String unmatched(Question question) {
    ReadQuery read = question.read();
    boolean filtered =
        !question.filters().equals(Filters.NONE)
            || !read.required().isEmpty()
            || !read.excluded().isEmpty();
    if (filtered && !anyPasses(question)) {
      return !read.required().isEmpty() && anyPasses(question.lenient())
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

  private boolean anyPasses(Question question) {
    return index.read(searcher ->
        (question.kinds().contains(HitKind.EVENT)
                && searcher.count(queries.eventsThatPass(question)) > 0)
            || searcher.count(queries.summariesThatPass(question)) > 0);
  }
}
