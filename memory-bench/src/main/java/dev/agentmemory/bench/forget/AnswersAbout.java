package dev.agentmemory.bench.forget;

import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.api.recall.MemorySearch;
import dev.agentmemory.api.search.ContextRequest;
import dev.agentmemory.api.search.SearchAnswer;
import dev.agentmemory.api.search.SearchRequest;
import dev.agentmemory.api.upkeep.ExportRequest;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.NodeId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/// Asks a daemon in every way for events that are forgotten.
final class AnswersAbout {

  private static final int HITS = 50;
  private static final int BUDGET = 4_000;
  private static final int AROUND = 2;
  private static final int PAGE = 1_000;

  /// Events of a long session that are asked for one by one.
  private static final int ASKED = 2_000;

  private static final Instant NOW = Instant.parse("2026-06-01T00:00:00Z");

  private final MemoryClient client;
  private final MarkedEvents marked;
  private final Set<NodeId> nodes = new HashSet<>();
  private final Set<GripId> grips = new HashSet<>();

  /// A way of asking, and whether the answer has the word.
  private record Way(String name, BooleanSupplier shows) {}

  /// @param before what rests on the events while they are stored
  AnswersAbout(MemoryClient client, MarkedEvents marked, DerivedContents before) {
    this.client = client;
    this.marked = marked;
    for (NodeId id : before.touched()) {
      client
          .contents()
          .node(id)
          .ifPresent(node -> {
            nodes.add(id);
            node.grips().stream().filter(before.resting()::contains).forEach(grips::add);
          });
    }
  }

  /// The first way in which the word is still answered.
  Optional<String> first() {
    return ways().stream().filter(way -> way.shows().getAsBoolean()).map(Way::name).findFirst();
  }

  /// All ways in which the word is answered.
  List<String> all() {
    return ways().stream().filter(way -> way.shows().getAsBoolean()).map(Way::name).toList();
  }

  private List<Way> ways() {
    var ways = new ArrayList<Way>();
    ways.add(new Way("search for the word", () -> isFound(marked.word())));
    ways.add(new Way("search for what was said", () -> isFound(withoutTheWord())));
    ways.add(new Way("context", this::isInContext));
    ways.add(new Way("get event", this::isAnEventStored));
    ways.add(new Way("events of the time", this::isInTheLog));
    ways.add(new Way("session", this::isInTheSession));
    ways.add(new Way("table of contents", this::isInNodes));
    ways.add(new Way("grips", this::isInGrips));
    ways.add(new Way("memories", this::isInMemories));
    ways.add(new Way("export", this::isExported));
    return ways;
  }

  /// The question must not contain the word, as answers may quote it.
  private String withoutTheWord() {
    return marked.events().getFirst().text().replace(marked.word() + " ", "");
  }

  private boolean isFound(String query) {
    SearchAnswer answer = client.search().search(SearchRequest.of(query, HITS, NOW));
    return marked.isIn(answer.hits()) || marked.isIn(answer.near());
  }

  private boolean isInContext() {
    return marked.isIn(client.search().context(ContextRequest.of(withoutTheWord(), BUDGET, NOW)));
  }

  private boolean isAnEventStored() {
    int step = Math.max(1, marked.events().size() / ASKED);
    return IntStream.iterate(0, i -> i < marked.events().size(), i -> i + step)
        .mapToObj(marked.events()::get)
        .anyMatch(event -> client.events().event(event.id()).isPresent());
  }

  private boolean isInTheLog() {
    Event first = marked.events().getFirst();
    Event last = marked.events().getLast();
    return Page.stream(
            PageRequest.of(PAGE),
            page ->
                client.events().between(first.timestamp(), last.timestamp().plusMillis(1), page))
        .anyMatch(marked::isIn);
  }

  private boolean isInTheSession() {
    return DerivedContents.segments(client, marked).findAny().isPresent()
        || (marked.whole() && isSessionKnown());
  }

  private boolean isSessionKnown() {
    try {
      var _ = client.sessions().session(marked.session());
      return true;
    } catch (MemoryException e) {
      if (e.code() == ErrorCode.NOT_FOUND) {
        return false;
      }
      throw e;
    }
  }

  /// Former versions of a node can be read, too.
  private boolean isInNodes() {
    return nodes.stream().anyMatch(this::isInNode);
  }

  private boolean isInNode(NodeId id) {
    try {
      return client.contents().node(id).filter(marked::isIn).isPresent()
          || marked.isIn(client.contents().versions(id, 0, PAGE));
    } catch (MemoryException e) {
      if (e.code() == ErrorCode.NOT_FOUND) {
        return false;
      }
      throw e;
    }
  }

  private boolean isInGrips() {
    return grips.stream()
        .anyMatch(
            id -> client.contents().expand(id, AROUND, AROUND).filter(marked::isIn).isPresent());
  }

  private boolean isInMemories() {
    return marked.isIn(client.recall().memories().search(MemorySearch.of(marked.word())));
  }

  private boolean isExported() {
    var found = new ArrayList<String>();
    client
        .recall()
        .exchange()
        .export(
            new ExportRequest(Optional.of(marked.session()), Optional.empty(), false),
            line -> {
              if (marked.isIn(line)) {
                found.add(line);
              }
            });
    return !found.isEmpty();
  }
}
