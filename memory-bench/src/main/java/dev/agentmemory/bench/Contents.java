package dev.agentmemory.bench;

import dev.agentmemory.client.ExpandedGrip;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.client.Page;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.TocNode;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Everything that a client can read from a daemon, read the way a client does.
final class Contents {

  private static final int PAGE = 100;
  private static final int EVENT_PAGE = 1000;
  private static final Instant END = Instant.parse("2200-01-01T00:00:00Z");

  private Contents() {}

  /// Every node that browsing from the root reaches.
  ///
  /// @throws IllegalStateException when two parents name the same node
  static Map<NodeId, TocNode> nodes(MemoryClient client) {
    var nodes = new TreeMap<NodeId, TocNode>();
    var parents = new ArrayDeque<Optional<NodeId>>();
    parents.add(Optional.empty());
    while (!parents.isEmpty()) {
      Optional<NodeId> parent = parents.remove();
      for (TocNode node : all(next -> client.children(parent, next, PAGE))) {
        if (nodes.put(node.id(), node) != null) {
          throw new IllegalStateException("two parents name " + node.id());
        }
        if (!node.children().isEmpty()) {
          parents.add(Optional.of(node.id()));
        }
      }
    }
    return nodes;
  }

  /// Every grip that a bullet of these nodes names, with its events.
  ///
  /// @throws IllegalStateException when one does not exist
  static Map<GripId, ExpandedGrip> grips(MemoryClient client, Iterable<TocNode> nodes) {
    var grips = new TreeMap<GripId, ExpandedGrip>();
    for (TocNode node : nodes) {
      for (GripId id : node.grips()) {
        if (!grips.containsKey(id)) {
          grips.put(
              id,
              client
                  .expand(id, 0, 0)
                  .orElseThrow(
                      () -> new IllegalStateException(node.id() + " names no grip: " + id)));
        }
      }
    }
    return grips;
  }

  static Map<EventId, Event> events(MemoryClient client) {
    var events = new HashMap<EventId, Event>();
    for (Event event : all(next -> page(client, next))) {
      events.put(event.id(), event);
    }
    return events;
  }

  /// Whether a stored event says what the sent one said. What the daemon adds does not count.
  static boolean same(Event sent, @Nullable Event stored) {
    return stored != null
        && stored.id().equals(sent.id())
        && stored.session().equals(sent.session())
        && stored.timestamp().equals(sent.timestamp())
        && stored.type() == sent.type()
        && stored.role() == sent.role()
        && stored.text().equals(sent.text())
        && stored.metadata().equals(sent.metadata())
        && stored.agent().equals(sent.agent());
  }

  /// A page of all events in time order.
  ///
  /// @param next from the page before; empty for the first
  static Page<Event> page(MemoryClient client, Optional<String> next) {
    return client.events(Instant.EPOCH, END, next, EVENT_PAGE);
  }

  /// Reads every event once, without keeping them.
  static void eachEvent(MemoryClient client, Consumer<Event> each) {
    Optional<String> next = Optional.empty();
    do {
      Page<Event> page = page(client, next);
      page.items().forEach(each);
      next = page.next();
    } while (next.isPresent());
  }

  private static <T> List<T> all(Function<Optional<String>, Page<T>> read) {
    var items = new ArrayList<T>();
    Page<T> page = read.apply(Optional.empty());
    items.addAll(page.items());
    while (page.next().isPresent()) {
      page = read.apply(page.next());
      items.addAll(page.items());
    }
    return items;
  }
}
