package dev.agentmemory.bench.daemon;

import dev.agentmemory.api.contents.GripContext;
import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.TocNode;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// All data that a client can read from a daemon.
public final class DaemonContents {

  private static final int PAGE = 100;
  private static final int EVENT_PAGE = 1000;
  private static final Instant END = Instant.parse("2200-01-01T00:00:00Z");

  private DaemonContents() {}

  /// Every node that is reachable from the root.
  ///
  /// @throws IllegalStateException when two parents have the same child
  public static Map<NodeId, TocNode> nodes(MemoryClient client) {
    var nodes = new TreeMap<NodeId, TocNode>();
    var parents = new ArrayDeque<Optional<NodeId>>();
    parents.add(Optional.empty());
    while (!parents.isEmpty()) {
      Optional<NodeId> parent = parents.remove();
      for (TocNode node : children(client, parent)) {
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

  /// Every grip of the bullets of these nodes, with its events.
  ///
  /// @throws IllegalStateException when one does not exist
  public static Map<GripId, GripContext> grips(MemoryClient client, Iterable<TocNode> nodes) {
    var grips = new TreeMap<GripId, GripContext>();
    for (TocNode node : nodes) {
      for (GripId id : node.grips()) {
        if (!grips.containsKey(id)) {
          grips.put(
              id,
              client
                  .contents()
                  .expand(id, 0, 0)
                  .orElseThrow(
                      () -> new IllegalStateException(node.id() + " names no grip: " + id)));
        }
      }
    }
    return grips;
  }

  public static Map<EventId, Event> events(MemoryClient client) {
    var events = new HashMap<EventId, Event>();
    log(client).forEach(event -> events.put(event.id(), event));
    return events;
  }

  /// Whether a stored event has the content of the sent one. Fields that the daemon adds are
  /// ignored.
  public static boolean same(Event sent, @Nullable Event stored) {
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

  /// All events in time order, page by page.
  private static Stream<Event> log(MemoryClient client) {
    return Page.stream(
        PageRequest.of(EVENT_PAGE), page -> client.events().between(Instant.EPOCH, END, page));
  }

  /// Reads every event once, without collecting them.
  public static void eachEvent(MemoryClient client, Consumer<Event> each) {
    log(client).forEach(each);
  }

  private static List<TocNode> children(MemoryClient client, Optional<NodeId> parent) {
    return Page.stream(
            PageRequest.of(PAGE),
            page ->
                parent
                    .map(id -> client.contents().children(id, page))
                    .orElseGet(() -> client.contents().years(page)))
        .toList();
  }
}
