package dev.agentmemory.toc.shared;

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
import dev.agentmemory.types.WorkspaceName;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.Predicate;

/// A shared store as one workspace sees it. Idea: what belongs to a workspace carries its name in
/// every id, so the name is put on on the way in and taken off on the way out, and a row without it
/// does not exist. A caller gets what a store of its own would give, ids included; nothing has to
/// be filtered out of a record, since no record holds anything of two workspaces.
public final class WorkspaceView
    implements StoreReader, EventReader, SessionReader, SegmentReader, TocReader, GripReader {

  /// Few enough that stepping into the next workspace's sessions costs next to nothing.
  private static final int SESSIONS_PAGE = 256;

  private static final int FIRST_PAGE = 32;
  private static final int LAST_PAGE = 4096;

  private final StoreReader store;
  private final WorkspaceName workspace;

  public WorkspaceView(StoreReader store, WorkspaceName workspace) {
    this.store = store;
    this.workspace = workspace;
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

  /// How much a workspace has.
  public record Size(long events, long sessions) {}

  /// Counted by the sessions, which are read page by page.
  public Size size() {
    long events = 0;
    long sessions = 0;
    List<Session> page = List.of();
    do {
      Optional<SessionId> after =
          page.isEmpty() ? Optional.empty() : Optional.of(page.getLast().id());
      page = sessions(after, SESSIONS_PAGE);
      events += page.stream().mapToLong(Session::events).sum();
      sessions += page.size();
    } while (page.size() == SESSIONS_PAGE);
    return new Size(events, sessions);
  }

  @Override
  public Optional<Event> event(EventId id) {
    return id.workspace().isPresent()
        ? Optional.empty()
        : store.events().event(id.in(workspace)).map(Event::plain);
  }

  @Override
  public List<Event> events(List<EventKey> keys) {
    return plain(store.events().events(own(keys)));
  }

  @Override
  public EventSlice events(List<EventKey> keys, long maxChars) {
    EventSlice slice = store.events().events(own(keys), maxChars);
    return new EventSlice(plain(slice.events()), slice.keys());
  }

  /// Steps over the others' events by their keys alone; the steps grow while nothing is found.
  @Override
  public List<Event> events(Instant from, Instant to, Optional<EventKey> after, int limit) {
    List<Event> found = new ArrayList<>();
    Optional<EventKey> place = after;
    List<EventKey> keys;
    do {
      keys = eventKeys(from, to, place, limit - found.size());
      found.addAll(events(keys));
      place = keys.isEmpty() ? place : Optional.of(keys.getLast());
    } while (!keys.isEmpty() && found.size() < limit);
    return List.copyOf(found);
  }

  @Override
  public List<EventKey> eventKeys(Instant from, Instant to, Optional<EventKey> after, int limit) {
    List<EventKey> found = new ArrayList<>();
    Optional<EventKey> place = after.map(this::own);
    int size = Math.clamp(limit, FIRST_PAGE, LAST_PAGE);
    boolean more = true;
    while (more && found.size() < limit) {
      List<EventKey> page = store.events().eventKeys(from, to, place, size);
      page.stream().filter(key -> isOwn(key.id().workspace())).forEach(found::add);
      place = page.isEmpty() ? place : Optional.of(page.getLast());
      more = page.size() == size;
      size = Math.min(2 * size, LAST_PAGE);
    }
    return found.stream().limit(limit).map(EventKey::plain).toList();
  }

  @Override
  public Optional<Session> session(SessionId id) {
    return own(id).flatMap(store.sessions()::session).map(Session::plain);
  }

  @Override
  public List<Session> sessions(Optional<SessionId> after, int limit) {
    SessionId border = after.flatMap(this::own).orElseGet(this::beforeSessions);
    return store.sessions().sessions(Optional.of(border), limit).stream()
        .takeWhile(session -> isOwn(session.id().workspace()))
        .map(Session::plain)
        .toList();
  }

  /// Sorts right before the workspace's first session, and is the id of none.
  private SessionId beforeSessions() {
    return new SessionId("@" + workspace + "/");
  }

  @Override
  public List<EventKey> eventsAfter(SessionId session, Optional<EventKey> after, int limit) {
    return own(session)
        .map(own -> store.sessions().eventsAfter(own, after.map(this::own), limit))
        .map(WorkspaceView::plainKeys)
        .orElse(List.of());
  }

  @Override
  public List<EventKey> eventsBefore(SessionId session, EventKey before, int limit) {
    return own(session)
        .map(own -> store.sessions().eventsBefore(own, own(before), limit))
        .map(WorkspaceView::plainKeys)
        .orElse(List.of());
  }

  @Override
  public Optional<Segment> segment(SegmentId id) {
    return id.firstEvent().workspace().isPresent()
        ? Optional.empty()
        : store.segments().segment(id.in(workspace)).map(Segment::plain);
  }

  @Override
  public Optional<Segment> segmentAt(SessionId session, EventKey place) {
    return own(session)
        .flatMap(own -> store.segments().segmentAt(own, own(place)))
        .map(Segment::plain);
  }

  @Override
  public List<Segment> segmentsAfter(SessionId session, Optional<EventKey> after, int limit) {
    return own(session)
        .map(own -> store.segments().segmentsAfter(own, after.map(this::own), limit))
        .orElse(List.of())
        .stream()
        .map(Segment::plain)
        .toList();
  }

  @Override
  public List<Segment> openSegments(Instant lastEventUpTo, int limit) {
    return first(
            limit,
            size -> store.segments().openSegments(lastEventUpTo, size),
            segment -> isOwn(segment.id().firstEvent().workspace()))
        .stream()
        .map(Segment::plain)
        .toList();
  }

  @Override
  public Optional<TocNode> node(NodeId id) {
    return own(id).flatMap(store.toc()::node).map(TocNode::plain);
  }

  @Override
  public List<TocNode> nodes(List<NodeId> ids) {
    List<NodeId> own = ids.stream().map(this::own).flatMap(Optional::stream).toList();
    return store.toc().nodes(own).stream().map(TocNode::plain).toList();
  }

  @Override
  public Optional<TocNode> node(NodeId id, int version) {
    return own(id).flatMap(own -> store.toc().node(own, version)).map(TocNode::plain);
  }

  @Override
  public List<Integer> versions(NodeId id) {
    return own(id).map(store.toc()::versions).orElse(List.of());
  }

  @Override
  public List<NodeId> nodeIds(TocLevel level, Optional<NodeId> after, int limit) {
    return ownIds((place, size) -> store.toc().nodeIds(level, place, size), after, limit);
  }

  @Override
  public List<NodeId> upgrades(TocLevel level, Optional<NodeId> before, int limit) {
    return ownIds((place, size) -> store.toc().upgrades(level, place, size), before, limit);
  }

  @Override
  public boolean isDirty(NodeId id) {
    return own(id).filter(store.toc()::isDirty).isPresent();
  }

  @Override
  public boolean awaitsUpgrade(NodeId id) {
    return own(id).filter(store.toc()::awaitsUpgrade).isPresent();
  }

  /// A page of ids of all workspaces, in one direction or the other.
  private interface Ids {
    List<NodeId> page(Optional<NodeId> after, int limit);
  }

  private List<NodeId> ownIds(Ids all, Optional<NodeId> after, int limit) {
    List<NodeId> found = new ArrayList<>();
    Optional<NodeId> place = after.flatMap(this::own);
    int size = Math.clamp(limit, FIRST_PAGE, LAST_PAGE);
    boolean more = true;
    while (more && found.size() < limit) {
      List<NodeId> page = all.page(place, size);
      page.stream().filter(id -> isOwn(id.workspace())).forEach(found::add);
      place = page.isEmpty() ? place : Optional.of(page.getLast());
      more = page.size() == size;
      size = Math.min(2 * size, LAST_PAGE);
    }
    return found.stream().limit(limit).map(NodeId::plain).toList();
  }

  @Override
  public List<NodeId> dirty(TocLevel level, int limit) {
    return first(limit, size -> store.toc().dirty(level, size), id -> isOwn(id.workspace()))
        .stream()
        .map(NodeId::plain)
        .toList();
  }

  @Override
  public Optional<Grip> grip(GripId id) {
    return id.workspace().isPresent()
        ? Optional.empty()
        : store.grips().grip(id.in(workspace)).map(Grip::plain);
  }

  @Override
  public List<GripId> gripsOf(NodeId node) {
    return own(node).map(store.grips()::gripsOf).orElse(List.of()).stream()
        .map(GripId::plain)
        .toList();
  }

  private boolean isOwn(Optional<WorkspaceName> name) {
    return name.isPresent() && name.get().equals(workspace);
  }

  /// A page token is not an id: that of another workspace reveals only a position in time.
  private EventKey own(EventKey key) {
    return key.plain().in(workspace);
  }

  private List<EventKey> own(List<EventKey> keys) {
    return keys.stream().map(this::own).toList();
  }

  /// Empty for an id that no client can have sent.
  private Optional<SessionId> own(SessionId id) {
    return id.value().getBytes(StandardCharsets.UTF_8).length > SessionId.MAX_BYTES
        ? Optional.empty()
        : Optional.of(id.in(workspace));
  }

  private Optional<NodeId> own(NodeId id) {
    return id.workspace().isPresent() ? Optional.empty() : Optional.of(id.in(workspace));
  }

  private static List<Event> plain(List<Event> events) {
    return events.stream().map(Event::plain).toList();
  }

  private static List<EventKey> plainKeys(List<EventKey> keys) {
    return keys.stream().map(EventKey::plain).toList();
  }

  /// The first ones of a list without pages: it is read again and longer until enough are found.
  private static <T> List<T> first(int limit, IntFunction<List<T>> reading, Predicate<T> wanted) {
    int size = Math.max(limit, FIRST_PAGE);
    while (true) {
      List<T> read = reading.apply(size);
      List<T> found = read.stream().filter(wanted).limit(limit).toList();
      if (found.size() == limit || read.size() < size) {
        return found;
      }
      size = Math.multiplyExact(size, 2);
    }
  }
}
