package dev.agentmemory.engine.internal.erase;

import dev.agentmemory.store.EventReader;
import dev.agentmemory.store.EventSlice;
import dev.agentmemory.store.GripReader;
import dev.agentmemory.store.SegmentReader;
import dev.agentmemory.store.SessionReader;
import dev.agentmemory.store.StoreReader;
import dev.agentmemory.store.TocReader;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.Grip;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.Segment;
import dev.agentmemory.types.SegmentId;
import dev.agentmemory.types.Session;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.TocLevel;
import dev.agentmemory.types.TocNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;

/// A store without what an erasure that goes on removes. Whoever answers clients reads this;
/// whoever writes what follows from events reads the store itself.
public final class VisibleStore
    implements StoreReader, EventReader, SessionReader, SegmentReader, TocReader, GripReader {

  private final StoreReader store;
  private final Withheld withheld;

  public VisibleStore(StoreReader store, Withheld withheld) {
    this.store = store;
    this.withheld = withheld;
  }

  @Override
  public EventReader events() {
    return this;
  }

  @Override
  public SessionReader sessions() {
    return this;
  }

  @Override
  public SegmentReader segments() {
    return this;
  }

  @Override
  public TocReader toc() {
    return this;
  }

  @Override
  public GripReader grips() {
    return this;
  }

  @Override
  public Optional<Event> event(EventId id) {
    return withheld.hides(id) ? Optional.empty() : store.events().event(id);
  }

  @Override
  public List<Event> events(List<EventKey> keys) {
    return store.events().events(shown(keys));
  }

  @Override
  public EventSlice events(List<EventKey> keys, long maxChars) {
    if (withheld.isNothing()) {
      return store.events().events(keys, maxChars);
    }
    List<EventKey> shown = shown(keys);
    EventSlice slice = store.events().events(shown, maxChars);
    // The caller goes on behind as many of its own keys as lie before the first that was not read.
    int read = slice.keys() < shown.size() ? keys.indexOf(shown.get(slice.keys())) : keys.size();
    return new EventSlice(slice.events(), read);
  }

  private List<EventKey> shown(List<EventKey> keys) {
    return withheld.isNothing()
        ? keys
        : keys.stream().filter(key -> !withheld.hides(key.id())).toList();
  }

  @Override
  public List<Event> events(Instant from, Instant to, Optional<EventKey> after, int limit) {
    return filled(
        after,
        limit,
        (place, size) -> store.events().events(from, to, place, size),
        Event::key,
        event -> withheld.hides(event.id()) ? Optional.empty() : Optional.of(event));
  }

  @Override
  public List<EventKey> eventKeys(Instant from, Instant to, Optional<EventKey> after, int limit) {
    return filled(
        after,
        limit,
        (place, size) -> store.events().eventKeys(from, to, place, size),
        key -> key,
        this::shown);
  }

  private Optional<EventKey> shown(EventKey key) {
    return withheld.hides(key.id()) ? Optional.empty() : Optional.of(key);
  }

  @Override
  public Optional<Session> session(SessionId id) {
    return store.sessions().session(id).filter(session -> !withheld.hides(session));
  }

  @Override
  public List<Session> sessions(Optional<SessionId> after, int limit) {
    return filled(
        after,
        limit,
        store.sessions()::sessions,
        Session::id,
        session -> withheld.hides(session) ? Optional.empty() : Optional.of(session));
  }

  @Override
  public List<EventKey> eventsAfter(SessionId session, Optional<EventKey> after, int limit) {
    return filled(
        after,
        limit,
        (place, size) -> store.sessions().eventsAfter(session, place, size),
        key -> key,
        this::shown);
  }

  @Override
  public List<EventKey> eventsBefore(SessionId session, EventKey before, int limit) {
    List<EventKey> page = store.sessions().eventsBefore(session, before, limit);
    if (withheld.isNothing()) {
      return page;
    }
    List<EventKey> found = shown(page);
    while (page.size() == limit && found.size() < limit) {
      page = store.sessions().eventsBefore(session, page.getFirst(), limit);
      found = Stream.concat(shown(page).stream(), found.stream()).toList();
    }
    return found.subList(Math.max(0, found.size() - limit), found.size());
  }

  @Override
  public Optional<Segment> segment(SegmentId id) {
    return store.segments().segment(id).flatMap(withheld::shown);
  }

  @Override
  public Optional<Segment> segmentAt(SessionId session, EventKey place) {
    return store.segments().segmentAt(session, place).flatMap(withheld::shown);
  }

  @Override
  public List<Segment> segmentsAfter(SessionId session, Optional<EventKey> after, int limit) {
    return filled(
        after,
        limit,
        (place, size) -> store.segments().segmentsAfter(session, place, size),
        Segment::first,
        withheld::shown);
  }

  @Override
  public List<Segment> openSegments(Instant lastEventUpTo, int limit) {
    return store.segments().openSegments(lastEventUpTo, limit).stream()
        .flatMap(segment -> withheld.shown(segment).stream())
        .toList();
  }

  @Override
  public Optional<TocNode> node(NodeId id) {
    return store.toc().node(id).map(withheld::shown);
  }

  @Override
  public List<TocNode> nodes(List<NodeId> ids) {
    return store.toc().nodes(ids).stream().map(withheld::shown).toList();
  }

  @Override
  public Optional<TocNode> node(NodeId id, int version) {
    return store.toc().node(id, version).map(withheld::shown);
  }

  @Override
  public List<Integer> versions(NodeId id) {
    return store.toc().versions(id);
  }

  @Override
  public List<NodeId> nodeIds(TocLevel level, Optional<NodeId> after, int limit) {
    return store.toc().nodeIds(level, after, limit);
  }

  @Override
  public List<NodeId> dirty(TocLevel level, int limit) {
    return store.toc().dirty(level, limit);
  }

  @Override
  public boolean isDirty(NodeId id) {
    return store.toc().isDirty(id);
  }

  @Override
  public List<NodeId> upgrades(TocLevel level, Optional<NodeId> before, int limit) {
    return store.toc().upgrades(level, before, limit);
  }

  @Override
  public boolean awaitsUpgrade(NodeId id) {
    return store.toc().awaitsUpgrade(id);
  }

  @Override
  public Optional<Grip> grip(GripId id) {
    return store.grips().grip(id).filter(grip -> !withheld.hides(grip));
  }

  @Override
  public List<GripId> gripsOf(NodeId node) {
    return withheld.hides(node) ? List.of() : store.grips().gripsOf(node);
  }

  /// A page of what is shown: fewer than asked for only at the end.
  private <T, P> List<T> filled(
      Optional<P> after,
      int limit,
      BiFunction<Optional<P>, Integer, List<T>> pages,
      Function<T, P> placeOf,
      Function<T, Optional<T>> shown) {
    List<T> page = pages.apply(after, limit);
    if (withheld.isNothing()) {
      return page;
    }
    List<T> found = new ArrayList<>();
    page.forEach(one -> shown.apply(one).ifPresent(found::add));
    while (page.size() == limit && found.size() < limit) {
      page = pages.apply(Optional.of(placeOf.apply(page.getLast())), limit);
      page.stream()
          .flatMap(one -> shown.apply(one).stream())
          .limit(limit - found.size())
          .forEach(found::add);
    }
    return List.copyOf(found);
  }
}
