package dev.agentmemory.toc.navigate;

import dev.agentmemory.api.contents.FoundNode;
import dev.agentmemory.api.contents.FoundNodes;
import dev.agentmemory.api.contents.GripContext;
import dev.agentmemory.api.contents.NodeMatch;
import dev.agentmemory.api.contents.NodeQuery;
import dev.agentmemory.store.EventReader;
import dev.agentmemory.store.GripReader;
import dev.agentmemory.store.SessionReader;
import dev.agentmemory.store.StoreReader;
import dev.agentmemory.store.TocReader;
import dev.agentmemory.toc.segment.TokenCounter;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.Grip;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.TocLevel;
import dev.agentmemory.types.TocNode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;

/// Finds one's way in the table of contents: down from the years, sideways by words, and from a
/// bullet to the events behind it.
public final class TocNavigator {

  /// Years are read in one go; a table of contents has a handful.
  private static final int MOST_YEARS = 10_000;

  private static final int PAGE = 200;

  /// What a grip's context weighs at most on either side, by [Event#chars].
  private static final long CONTEXT_CHARS = 2L << 20;

  private static final Comparator<FoundNode> WORST_FIRST =
      Comparator.comparingDouble(FoundNode::relevance)
          .thenComparing(FoundNode::id, Comparator.reverseOrder());

  private final TocReader toc;
  private final EventReader events;
  private final SessionReader sessions;
  private final GripReader grips;
  private final TokenCounter tokens;

  public TocNavigator(StoreReader store, TokenCounter tokens) {
    this(store.toc(), store, tokens);
  }

  /// @param toc is read instead of the table of contents of the store
  public TocNavigator(TocReader toc, StoreReader store, TokenCounter tokens) {
    this.toc = toc;
    this.events = store.events();
    this.sessions = store.sessions();
    this.grips = store.grips();
    this.tokens = tokens;
  }

  /// The years, newest first.
  public List<TocNode> root() {
    return toc.nodes(years()).reversed();
  }

  public Optional<TocNode> node(NodeId id) {
    return toc.node(id);
  }

  /// Children in time order.
  ///
  /// @param parent empty for the years
  /// @param after where the page before ended
  /// @return empty when the parent is unknown or nothing follows
  public List<TocNode> children(Optional<NodeId> parent, Optional<ChildPlace> after, int limit) {
    List<NodeId> ids =
        parent.isEmpty()
            ? years()
            : toc.node(parent.get()).map(TocNode::children).orElse(List.of());
    int from = after.map(place -> behind(ids, place)).orElse(0);
    return toc.nodes(ids.subList(from, Math.min(ids.size(), from + limit)));
  }

  /// Looks for words in one node.
  ///
  /// @return the best first
  /// @throws MemoryException `NOT_FOUND` when there is no such node
  public List<NodeMatch> searchNode(NodeId id, NodeQuery query) {
    TocNode node =
        toc.node(id)
            .orElseThrow(() ->
                new MemoryException(
                    ErrorCode.NOT_FOUND,
                    "there is no node "
                        + id
                        + "; browse from the root to list the existing"
                        + " nodes"));
    List<NodeMatch> matches = new NodeSearch(query).matches(node);
    Budget budget = new Budget(query.tokenBudget());
    return matches.stream().limit(query.limit()).takeWhile(budget::takes).toList();
  }

  /// Looks for words in all nodes of a level below a node.
  ///
  /// @param parent empty for the root
  /// @param level empty for the level right below
  public FoundNodes searchChildren(
      Optional<NodeId> parent, Optional<TocLevel> level, NodeQuery query) {
    Optional<TocLevel> below =
        parent.isEmpty() ? Optional.of(TocLevel.YEAR) : parent.get().level().child();
    if (below.isEmpty() || level.filter(asked -> asked.compareTo(below.get()) < 0).isPresent()) {
      return new FoundNodes(List.of(), false);
    }
    var search = new NodeSearch(query);
    var best = new Best(query.limit());
    Deque<NodeId> left = new ArrayDeque<>(childIds(parent));
    while (!left.isEmpty()) {
      for (TocNode node : toc.nodes(take(left, PAGE))) {
        if (node.level() == level.orElse(below.get())) {
          best.offer(node, search);
        } else {
          node.children().reversed().forEach(left::addFirst);
        }
      }
    }
    return best.within(new Budget(query.tokenBudget()));
  }

  /// A grip with its events and the events around them.
  ///
  /// @param before how many events of the session to add before the excerpt; large ones that are
  ///   farther away are left out
  /// @param after how many to add behind it, likewise
  /// @return empty when there is no such grip
  public Optional<GripContext> expand(GripId id, int before, int after) {
    Optional<Grip> grip = grips.grip(id);
    Optional<Event> first = grip.flatMap(found -> events.event(found.first()));
    Optional<Event> last = grip.flatMap(found -> events.event(found.last()));
    if (first.isEmpty() || last.isEmpty()) {
      return Optional.empty();
    }
    SessionId session = first.get().session();
    EventKey from = first.get().key();
    EventKey to = last.get().key();
    return Optional.of(
        new GripContext(
            grip.orElseThrow(),
            before == 0
                ? List.of()
                : nearest(sessions.eventsBefore(session, from, before).reversed()).reversed(),
            excerpt(session, first.get(), to),
            after == 0
                ? List.of()
                : nearest(sessions.eventsAfter(session, Optional.of(to), after))));
  }

  /// As many of the nearest events as there is room for, at least one.
  private List<Event> nearest(List<EventKey> keys) {
    return events.events(keys, CONTEXT_CHARS).events();
  }

  private List<Event> excerpt(SessionId session, Event first, EventKey to) {
    List<EventKey> keys = new ArrayList<>(List.of(first.key()));
    while (keys.getLast().compareTo(to) < 0) {
      List<EventKey> page = sessions.eventsAfter(session, Optional.of(keys.getLast()), PAGE);
      if (page.isEmpty()) {
        break;
      }
      page.stream().filter(key -> key.compareTo(to) <= 0).forEach(keys::add);
      if (page.getLast().compareTo(to) >= 0) {
        break;
      }
    }
    return events.events(keys);
  }

  private List<NodeId> years() {
    return toc.nodeIds(TocLevel.YEAR, Optional.empty(), MOST_YEARS);
  }

  private List<NodeId> childIds(Optional<NodeId> parent) {
    return parent.isEmpty()
        ? years().reversed()
        : toc.node(parent.get()).map(TocNode::children).orElse(List.of());
  }

  /// Index of the first child behind a place. The child that ended the page may have vanished
  /// since; then the time decides.
  private int behind(List<NodeId> ids, ChildPlace place) {
    int known = ids.indexOf(place.id());
    if (known >= 0) {
      return known + 1;
    }
    int low = 0;
    int high = ids.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      Optional<TocNode> node = toc.node(ids.get(middle));
      if (node.isPresent() && ChildPlace.of(node.get()).compareTo(place) > 0) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  private static List<NodeId> take(Deque<NodeId> from, int most) {
    List<NodeId> taken = new ArrayList<>(most);
    while (taken.size() < most && !from.isEmpty()) {
      taken.add(from.remove());
    }
    return taken;
  }

  /// The best nodes of a search, as many as were asked for.
  private static final class Best {
    private final int limit;
    private final PriorityQueue<FoundNode> kept = new PriorityQueue<>(WORST_FIRST);
    private boolean more;

    Best(int limit) {
      this.limit = limit;
    }

    void offer(TocNode node, NodeSearch search) {
      List<NodeMatch> matches = search.matches(node);
      if (matches.isEmpty()) {
        return;
      }
      kept.add(new FoundNode(node.id(), node.title(), matches, search.relevance(matches)));
      if (kept.size() > limit) {
        kept.remove();
        more = true;
      }
    }

    FoundNodes within(Budget budget) {
      List<FoundNode> ordered = kept.stream().sorted(WORST_FIRST.reversed()).toList();
      List<FoundNode> answer = new ArrayList<>();
      for (FoundNode node : ordered) {
        List<NodeMatch> fitting = node.matches().stream().takeWhile(budget::takes).toList();
        if (!fitting.isEmpty()) {
          answer.add(new FoundNode(node.id(), node.title(), fitting, node.relevance()));
        }
      }
      return new FoundNodes(answer, more || budget.isSpent());
    }
  }

  /// Counts tokens down; once a text does not fit, nothing more does.
  private final class Budget {
    private final boolean bounded;
    private int left;
    private boolean spent;

    Budget(int tokenBudget) {
      this.bounded = tokenBudget > 0;
      this.left = tokenBudget;
    }

    boolean takes(NodeMatch match) {
      if (bounded && !spent) {
        left -= tokens.count(match.text());
        spent = left < 0;
      }
      return !spent;
    }

    boolean isSpent() {
      return spent;
    }
  }
}
