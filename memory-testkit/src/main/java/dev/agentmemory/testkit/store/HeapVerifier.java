package dev.agentmemory.testkit.store;

import dev.agentmemory.store.Finding;
import dev.agentmemory.store.OutboxEntry;
import dev.agentmemory.store.StoreStats;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.Grip;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.Segment;
import dev.agentmemory.types.SegmentEntry;
import dev.agentmemory.types.Session;
import dev.agentmemory.types.TocLevel;
import dev.agentmemory.types.TocNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Checks the invariants of every store through the ports. Reads all rows into memory, so it is for
/// small stores.
final class HeapVerifier {

  private final HeapStore store;
  private final int limit;
  private final List<Finding> findings = new ArrayList<>();

  HeapVerifier(HeapStore store, int limit) {
    this.store = store;
    this.limit = limit;
  }

  List<Finding> findings(Collection<Grip> grips) {
    checkSessions();
    checkOutbox();
    checkTree();
    grips.forEach(this::checkGrip);
    return List.copyOf(findings.subList(0, Math.min(limit, findings.size())));
  }

  private void checkSessions() {
    long total = 0;
    for (Session session : store.sessions().sessions(Optional.empty(), Integer.MAX_VALUE)) {
      List<EventKey> keys =
          store.sessions().eventsAfter(session.id(), Optional.empty(), Integer.MAX_VALUE);
      total += keys.size();
      boolean matches =
          keys.size() == session.events()
              && keys.getFirst().equals(session.first())
              && keys.getLast().equals(session.last());
      demand(matches, "conversations", session.id(), "does not match its events");
      checkSegments(session);
    }
    demand(total == store.stats().events(), "events", "all", "are not those of the sessions");
  }

  private void checkSegments(Session session) {
    Optional<EventKey> end = Optional.empty();
    for (Segment segment :
        store.segments().segmentsAfter(session.id(), Optional.empty(), Integer.MAX_VALUE)) {
      List<EventKey> keys = segment.entries().stream().map(SegmentEntry::key).toList();
      boolean known =
          store.events().events(keys).stream().filter(e -> e.session().equals(session.id())).count()
              == keys.size();
      demand(known, "segments", segment.id(), "names events that its session does not have");
      boolean apart = end.isEmpty() || end.get().compareTo(segment.first()) < 0;
      demand(apart, "segments", segment.id(), "overlaps the previous segment");
      end = Optional.of(segment.last());
    }
  }

  private void checkOutbox() {
    StoreStats stats = store.stats();
    long expected = stats.outboxTail();
    for (OutboxEntry entry : store.outbox().entries(0, Integer.MAX_VALUE)) {
      demand(entry.sequence() == expected, "outbox", entry.sequence(), "expected " + expected);
      boolean known =
          !store.events().events(List.of(entry.event())).isEmpty()
              || store.wasErased(entry.event().id());
      demand(known, "outbox", entry.sequence(), "names an event that does not exist");
      expected = entry.sequence() + 1;
    }
    demand(expected == stats.outboxHead() + 1, "outbox", expected, "is missing");
  }

  private void checkTree() {
    Map<NodeId, Integer> parents = new HashMap<>();
    for (TocLevel level : TocLevel.values()) {
      for (NodeId id : store.toc().nodeIds(level, Optional.empty(), Integer.MAX_VALUE)) {
        checkNode(store.toc().node(id).orElseThrow(), parents);
        int expected = level.parent().isEmpty() ? 0 : 1;
        int found = parents.getOrDefault(id, 0);
        demand(found == expected, "toc_nodes", id, "has " + found + " parents");
      }
      for (NodeId id : store.toc().upgrades(level, Optional.empty(), Integer.MAX_VALUE)) {
        demand(
            store.toc().node(id).isPresent(),
            "toc_upgrades",
            id,
            "marks a node that does not exist");
      }
      for (NodeId id : store.toc().dirty(level, Integer.MAX_VALUE)) {
        demand(
            store.toc().node(id).isPresent(), "toc_dirty", id, "marks a node that does not exist");
      }
    }
  }

  private void checkNode(TocNode node, Map<NodeId, Integer> parents) {
    for (NodeId child : node.children()) {
      parents.merge(child, 1, Integer::sum);
      boolean below = node.level().child().equals(Optional.of(child.level()));
      demand(below, "toc_nodes", node.id(), "has a child of the wrong level: " + child);
      demand(store.toc().node(child).isPresent(), "toc_nodes", node.id(), "has no child " + child);
    }
    for (GripId grip : node.grips()) {
      demand(store.grips().grip(grip).isPresent(), "toc_nodes", node.id(), "has no grip " + grip);
    }
  }

  private void checkGrip(Grip grip) {
    Optional<Event> first = store.events().event(grip.first());
    Optional<Event> last = store.events().event(grip.last());
    if (first.isEmpty() || last.isEmpty() || !first.get().session().equals(last.get().session())) {
      demand(false, "grips", grip.id(), "has no range within one session");
      return;
    }
    List<EventKey> range =
        store
            .sessions()
            .eventsAfter(first.get().session(), Optional.empty(), Integer.MAX_VALUE)
            .stream()
            .filter(key -> key.compareTo(first.get().key()) >= 0)
            .filter(key -> key.compareTo(last.get().key()) <= 0)
            .toList();
    boolean verbatim =
        store.events().events(range).stream()
            .anyMatch(event -> event.text().contains(grip.excerpt()));
    demand(verbatim, "grips", grip.id(), "has an excerpt that occurs in no event of its range");
  }

  private void demand(boolean holds, String table, Object key, String problem) {
    if (!holds) {
      findings.add(new Finding(table, key.toString(), problem));
    }
  }
}
