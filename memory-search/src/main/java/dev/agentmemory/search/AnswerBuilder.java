package dev.agentmemory.search;

import dev.agentmemory.api.search.Hit;
import dev.agentmemory.api.search.HitKind;
import dev.agentmemory.api.search.Parts;
import dev.agentmemory.api.search.RelevanceThreshold;
import dev.agentmemory.api.search.Said;
import dev.agentmemory.api.search.SearchAnswer;
import dev.agentmemory.api.search.SearchMode;
import dev.agentmemory.api.search.SearchRequest;
import dev.agentmemory.search.internal.index.EventDocuments;
import dev.agentmemory.search.internal.index.EventSlices;
import dev.agentmemory.search.internal.index.NodeDocuments;
import dev.agentmemory.search.internal.query.Question;
import dev.agentmemory.search.internal.rank.Found;
import dev.agentmemory.search.internal.text.Analysis;
import dev.agentmemory.search.internal.text.Snippets;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.TocNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/// Makes the answer from what was found: one page of hits with their texts, places in the table of
/// contents and grips, or why there are none.
record AnswerBuilder(
    Sources sources,
    HitLocator places,
    NothingFound nothing,
    CoverageCounts coverage,
    Analysis analysis) {

  /// @param used by what was searched
  /// @param found the best first
  /// @param degraded why less is used than was asked for
  /// @param lenient what is found where nothing that the question requires is required
  SearchAnswer build(
      Question question,
      SearchMode used,
      List<Found> found,
      Optional<String> degraded,
      List<Found> lenient) {
    SearchRequest request = question.request();
    List<Found> relevant = relevant(found, question);
    int from = Math.min(request.offset(), relevant.size());
    int to = Math.min(from + request.limit(), relevant.size());
    var snippets = new Snippets(analysis, question.read().text());
    List<Hit> page = hits(relevant.subList(from, to), snippets, request.explain());
    List<Found> near = relevant(lenient, question).stream().limit(SearchAnswer.MAX_NEAR).toList();
    return new SearchAnswer(
        page,
        to < relevant.size() && to < SearchRequest.MAX_REACH,
        used,
        question.read().time(),
        degraded,
        page.isEmpty() ? Optional.of(nothing.why(question, found, relevant)) : Optional.empty(),
        hits(near, snippets, request.explain()),
        request.explain()
            ? Optional.of(coverage.of(question, found.size() - relevant.size()))
            : Optional.empty());
  }

  private static List<Found> relevant(List<Found> found, Question question) {
    RelevanceThreshold threshold = question.request().threshold();
    if (!question.read().required().isEmpty()) {
      // What has a phrase literally is what was asked for.
      return found;
    }
    if (NothingFound.isUnanswerable(question)) {
      return List.of();
    }
    boolean answered = NothingFound.isAnswered(found, threshold);
    return found.stream()
        .filter(one -> answered || one.kind() == HitKind.MEMORY)
        .filter(one -> one.relevance() >= threshold.hit())
        .toList();
  }

  private List<Hit> hits(List<Found> page, Snippets snippets, boolean explain) {
    List<EventKey> keys =
        page.stream()
            .filter(one -> one.kind() == HitKind.EVENT)
            .map(one -> EventDocuments.key(one.time(), one.uid()))
            .toList();
    Map<String, Found> byId = new HashMap<>();
    page.forEach(one -> byId.put(one.uid(), one));
    Map<String, Hit> hits = new HashMap<>();
    EventSlices.read(
        sources.events(),
        keys,
        events -> {
          for (Event event : events) {
            Found one = Objects.requireNonNull(byId.get(event.id().value()), "not asked for");
            hits.put(one.uid(), hit(one, event, parts(one, explain), snippets));
          }
        });
    for (Found one : page) {
      switch (one.kind()) {
        case EVENT -> {}
        case SEGMENT, ROLLUP ->
            NodeId.parse(one.uid())
                .flatMap(sources.toc()::node)
                // It is summarised again, after an erasure.
                .filter(node -> !NodeDocuments.text(node).isBlank())
                .ifPresent(
                    node -> hits.put(one.uid(), hit(one, node, parts(one, explain), snippets)));
        case MEMORY ->
            one.memory()
                .ifPresent(memory ->
                    hits.put(one.uid(), MemoryHits.hit(memory, parts(one, explain), snippets)));
      }
    }
    return page.stream().map(Found::uid).map(hits::get).filter(Objects::nonNull).toList();
  }

  private static Parts parts(Found one, boolean explain) {
    return explain ? one.parts() : one.parts().withoutFeatures();
  }

  private Hit hit(Found one, Event event, Parts parts, Snippets snippets) {
    HitLocator.Place place = places.of(event);
    return new Hit(
        HitKind.EVENT,
        Optional.of(event.key()),
        Optional.empty(),
        Optional.empty(),
        event.timestamp(),
        Optional.of(event.role()),
        event.agent(),
        Optional.empty(),
        Optional.of(event.session()),
        one.score(),
        one.relevance(),
        parts,
        snippets.of(event.text()),
        place.path(),
        place.grips(),
        one.said());
  }

  private Hit hit(Found one, TocNode node, Parts parts, Snippets snippets) {
    return new Hit(
        one.kind(),
        Optional.empty(),
        Optional.of(node.id()),
        Optional.empty(),
        node.span().start(),
        Optional.empty(),
        Optional.empty(),
        Optional.of(node.title()),
        places.session(node.id()),
        one.score(),
        one.relevance(),
        parts,
        snippets.of(NodeDocuments.text(node)),
        places.path(node.id()),
        node.grips(),
        Said.once(node.span().start()));
  }
}
