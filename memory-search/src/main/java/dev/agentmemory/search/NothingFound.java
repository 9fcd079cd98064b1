package dev.agentmemory.search;

import dev.agentmemory.api.search.Filters;
import dev.agentmemory.api.search.HitKind;
import dev.agentmemory.api.search.RelevanceThreshold;
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
    if (isUnanswerable(question)) {
      return "the query has function words only, which say nothing about a subject; add a word that"
          + " does; with a minimum relevance of 0 all hits are shown";
    }
    if (!found.isEmpty()) {
      boolean answered = isAnswered(found, request.threshold());
      List<Found> all = answered ? found : found.stream().filter(NothingFound::isCounted).toList();
      double best = all.stream().mapToDouble(Found::relevance).max().orElse(0);
      return String.format(
          Locale.ROOT,
          "the best of %d hits has a relevance of %.2f, below the minimum of %.2f; with a minimum"
              + " of 0 all are shown",
          all.size(),
          Math.floor(100 * best) / 100,
          answered ? request.threshold().hit() : request.threshold().best());
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

  /// Whether hits of a question tell nothing, however many of its words they have.
  static boolean isUnanswerable(Question question) {
    return question.request().threshold().best() > 0 && question.read().isOfFunctionWords();
  }

  /// Whether an event or a summary answers a question: one is relevant enough, or has every word of
  /// it. Also true where there are only memories.
  static boolean isAnswered(List<Found> found, RelevanceThreshold threshold) {
    return found.stream().noneMatch(NothingFound::isCounted)
        || found.stream()
            .filter(NothingFound::isCounted)
            .anyMatch(one -> one.complete() || one.relevance() >= threshold.best());
  }

  private static boolean isCounted(Found one) {
    return one.kind() != HitKind.MEMORY;
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
