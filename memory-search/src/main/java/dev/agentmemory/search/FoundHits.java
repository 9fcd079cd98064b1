package dev.agentmemory.search;

import dev.agentmemory.api.search.Hit;
import dev.agentmemory.api.search.Kind;
import dev.agentmemory.api.search.Parts;
import dev.agentmemory.api.search.Said;
import dev.agentmemory.search.internal.index.EventDocuments;
import dev.agentmemory.search.internal.index.NodeDocuments;
import dev.agentmemory.search.internal.text.Snippets;
import dev.agentmemory.store.EventSlice;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.TocNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/// Reads what was found: words, place in the table of contents, grips.
final class FoundHits {

  private final Sources sources;
  private final HitLocator places;

  FoundHits(Sources sources) {
    this.sources = sources;
    this.places = new HitLocator(sources);
  }

  /// @param explain whether a hit shows what its score is made of
  List<Hit> of(List<Found> page, Snippets snippets, boolean explain) {
    List<EventKey> keys =
        page.stream()
            .filter(one -> one.kind() == Kind.EVENT)
            .map(one -> EventDocuments.key(one.time(), one.uid()))
            .toList();
    Map<String, Found> byId = new HashMap<>();
    page.forEach(one -> byId.put(one.uid(), one));
    Map<String, Hit> hits = new HashMap<>();
    // Some at a time: events may be long, and little of each is kept.
    for (int from = 0; from < keys.size(); ) {
      EventSlice slice =
          sources.events().events(keys.subList(from, keys.size()), Searcher.PAGE_CHARS);
      for (Event event : slice.events()) {
        Found one = Objects.requireNonNull(byId.get(event.id().value()), "not asked for");
        hits.put(one.uid(), hit(one, event, parts(one, explain), snippets));
      }
      from += slice.keys();
    }
    for (Found one : page) {
      if (one.kind() != Kind.EVENT) {
        NodeId.parse(one.uid())
            .flatMap(sources.toc()::node)
            .ifPresent(node -> hits.put(one.uid(), hit(one, node, parts(one, explain), snippets)));
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
        Kind.EVENT,
        Optional.of(event.key()),
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
    Optional<SessionId> session = places.session(node.id());
    return new Hit(
        one.kind(),
        Optional.empty(),
        Optional.of(node.id()),
        node.span().start(),
        Optional.empty(),
        Optional.empty(),
        Optional.of(node.title()),
        session,
        one.score(),
        one.relevance(),
        parts,
        snippets.of(NodeDocuments.text(node)),
        places.path(node.id()),
        node.grips(),
        Said.once(node.span().start()));
  }
}
