package dev.agentmemory.recall.conversation;

import dev.agentmemory.store.EventReader;
import dev.agentmemory.store.EventSlice;
import dev.agentmemory.store.GripReader;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.store.SegmentReader;
import dev.agentmemory.store.SessionReader;
import dev.agentmemory.store.StoreReader;
import dev.agentmemory.store.TocReader;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.Session;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.WorkspaceName;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// The sessions and events of one workspace of a shared store. The view that the daemon uses is in
/// a module that this one must not know.
record MemberReader(MemoryStore store, WorkspaceName workspace)
    implements StoreReader, EventReader, SessionReader {

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
    throw new UnsupportedOperationException();
  }

  @Override
  public TocReader toc() {
    throw new UnsupportedOperationException();
  }

  @Override
  public GripReader grips() {
    throw new UnsupportedOperationException();
  }

  @Override
  public Optional<Session> session(SessionId id) {
    return store.sessions().session(id.in(workspace)).map(Session::plain);
  }

  @Override
  public List<Session> sessions(Optional<SessionId> after, int limit) {
    SessionId place =
        after.map(id -> id.in(workspace)).orElse(new SessionId("@" + workspace + "/"));
    return store.sessions().sessions(Optional.of(place), limit).stream()
        .takeWhile(session -> session.id().workspace().equals(Optional.of(workspace)))
        .map(Session::plain)
        .toList();
  }

  @Override
  public List<EventKey> eventsAfter(SessionId session, Optional<EventKey> after, int limit) {
    return store
        .sessions()
        .eventsAfter(session.in(workspace), after.map(key -> key.in(workspace)), limit)
        .stream()
        .map(EventKey::plain)
        .toList();
  }

  @Override
  public EventSlice events(List<EventKey> keys, long maxChars) {
    List<EventKey> own = keys.stream().map(key -> key.in(workspace)).toList();
    EventSlice slice = store.events().events(own, maxChars);
    return new EventSlice(slice.events().stream().map(Event::plain).toList(), slice.keys());
  }

  @Override
  public List<EventKey> eventsBefore(SessionId session, EventKey before, int limit) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Optional<Event> event(EventId id) {
    throw new UnsupportedOperationException();
  }

  @Override
  public List<Event> events(List<EventKey> keys) {
    throw new UnsupportedOperationException();
  }

  @Override
  public List<Event> events(Instant from, Instant to, Optional<EventKey> after, int limit) {
    throw new UnsupportedOperationException();
  }

  @Override
  public List<EventKey> eventKeys(Instant from, Instant to, Optional<EventKey> after, int limit) {
    throw new UnsupportedOperationException();
  }
}
